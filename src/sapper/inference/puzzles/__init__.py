"""Static puzzles by backtracking, as in report 004.

`heuristics` says how a search goes about it and what it found, `search` does it, and `reported` is the report's own
search, faults included.
"""
