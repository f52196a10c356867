"""Puzzles to learn from, made on the fly: positions of real games with a task, every right answer, and the proof.

>>> import sapper
>>> puzzle = sapper.train.puzzle("one-two", seed=1)
>>> sapper.train.check(puzzle, puzzle.solution[0]).is_right
True

`levels` says how hard reasoning may be, `kinds` finds positions for it, `making` turns them into puzzles, and
`checking` judges answers. `given` makes a puzzle of a position that somebody has, or of a link, and `sheets` a page to
print. `course` has twelve lessons, and `learner` derives everything about a person from what they have answered.
Whoever wants puzzles asks here.
"""

from __future__ import annotations

from sapper.train.checking import check, two_layouts
from sapper.train.course import Frame, Lesson, lesson, lessons
from sapper.train.given import of_position, read_link
from sapper.train.learner import WAYS, Attempt, Learner, Round, Way, learn, next_puzzle, read_way
from sapper.train.levels import LEVELS, Level, what_follows
from sapper.train.making import puzzle, puzzles, read_board
from sapper.train.names import ABOUT_KINDS, KINDS, Kind, Name, read_kind
from sapper.train.puzzles import Puzzle, Verdict
from sapper.train.sheets import sheet

__all__ = [
    "ABOUT_KINDS", "KINDS", "LEVELS", "WAYS", "Attempt", "Frame", "Kind", "Learner", "Lesson", "Level", "Name",
    "Puzzle", "Round", "Verdict", "Way", "check", "learn", "lesson", "lessons", "next_puzzle", "of_position", "puzzle",
    "puzzles", "read_board", "read_kind", "read_link", "read_way", "sheet", "two_layouts", "what_follows",
]  # fmt: skip
