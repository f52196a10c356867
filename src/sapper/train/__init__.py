"""Puzzles to learn from, made on the fly: positions of real games with a task, every right answer, and the proof.

>>> import sapper
>>> puzzle = sapper.train.puzzle("one-two", seed=1)
>>> sapper.train.check(puzzle, puzzle.solution[0]).is_right
True

`levels` says how hard reasoning may be, `moments` finds positions of that level, `making` turns them into puzzles,
and `checking` judges answers; `guesses`, `areas` and `chains` are the other kinds. `given` makes a puzzle of a position
that somebody has, and `sheets` a page to print. Whoever wants puzzles asks here.
"""

from __future__ import annotations

from sapper.train.checking import check, two_layouts
from sapper.train.given import of_position
from sapper.train.levels import LEVELS, Level, what_follows
from sapper.train.making import puzzle, puzzles, read_board
from sapper.train.puzzles import ABOUT_KINDS, KINDS, Kind, Puzzle, Verdict, read_kind
from sapper.train.sheets import sheet

__all__ = [
    "ABOUT_KINDS", "KINDS", "LEVELS", "Kind", "Level", "Puzzle", "Verdict", "check", "of_position", "puzzle",
    "puzzles", "read_board", "read_kind", "sheet", "two_layouts", "what_follows",
]  # fmt: skip
