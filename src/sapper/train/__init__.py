"""Train with puzzles: positions of real games, each with a task, every right answer and a proof.

>>> import sapper
>>> puzzle = sapper.train.puzzle("one-two", seed=1)
>>> sapper.train.check(puzzle, puzzle.solution[0]).is_right
True

`kinds` names the kinds of puzzle, `positions` finds positions in games, `making` turns them into puzzles (`special`
those about guesses, areas and chains), `puzzle` checks answers and `sheets` prints puzzles. `course` has the lessons.
`attempts` records answers, `history` stores them, `learner` derives ratings (`glicko`) and repetition from them, and
`choosing` picks the next puzzle.
"""

from __future__ import annotations

from sapper.train.attempts import WAYS, Attempt, Round, Way, read_way
from sapper.train.choosing import next_puzzle
from sapper.train.course import Frame, Lesson, lesson, lessons
from sapper.train.kinds import ABOUT_KINDS, KINDS, LEVELS, Kind, Level, Name, read_kind, what_follows
from sapper.train.learner import Learner, learn
from sapper.train.making import of_position, puzzle, puzzles, read_board, read_link
from sapper.train.puzzle import Puzzle, Verdict, check, two_layouts
from sapper.train.sheets import sheet

__all__ = [
    "ABOUT_KINDS", "KINDS", "LEVELS", "WAYS", "Attempt", "Frame", "Kind", "Learner", "Lesson", "Level", "Name",
    "Puzzle", "Round", "Verdict", "Way", "check", "learn", "lesson", "lessons", "next_puzzle", "of_position", "puzzle",
    "puzzles", "read_board", "read_kind", "read_link", "read_way", "sheet", "two_layouts", "what_follows",
]  # fmt: skip
