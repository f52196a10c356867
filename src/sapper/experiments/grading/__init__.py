"""Grading of submissions: games whose every move and claim the engine judges, positions that prove a fault, reports.

``rubric`` says what is played and what it is worth; ``judge`` judges one game; ``shrink`` makes the positions small;
``run`` plays a class, resumably; ``results`` sums up; ``words`` and ``page`` tell people; ``tournament`` ranks agents.
"""
