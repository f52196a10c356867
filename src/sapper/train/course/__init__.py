"""Twelve short lessons, from what a number says to when to take a 50/50: text, an example that moves, puzzles.

>>> from sapper.train.course import lesson, lessons
>>> len(lessons()), lesson(3).title, lesson("one-one").number
(12, '1-1 from a wall', 3)

`lesson` is the value, `texts` says what is taught, `reading` joins the two with the examples and puzzles, which
``scripts/course.py`` finds in games and writes to ``data/course.json``. Whoever wants a lesson asks here.
"""

from __future__ import annotations

from sapper.train.course.lesson import ROLES, Frame, Lesson, Role
from sapper.train.course.reading import lesson, lessons

__all__ = ["ROLES", "Frame", "Lesson", "Role", "lesson", "lessons"]
