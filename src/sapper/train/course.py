"""The course: twelve lessons, each with text, an example shown frame by frame, puzzles and one sentence to remember.

The texts are here; examples and puzzles are in ``data/course.json``, written by ``scripts/course.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, get_args

from sapper.errors import InputError
from sapper.observation import Observation
from sapper.topology import Cell
from sapper.train.puzzle import Puzzle, read_cell, read_cells, reading

# Why a cell is highlighted. Safe and mine are certain; supposed values are assumed for the sake of the argument.
Role = Literal["clue", "area", "safe", "mine", "supposed-safe", "supposed-mine"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of an example, with the cells of its caption highlighted by role.

    Cells highlighted as safe or as mines follow from the highlighted clues, the flags, which are on mines, and earlier
    frames of the same position.
    """

    position: Observation = field(repr=False)
    caption: str  # one sentence
    lit: tuple[tuple[Role, tuple[Cell, ...]], ...] = ()
    total: bool = False  # whether the number of mines on the board is highlighted too
    risks: tuple[tuple[Cell, float], ...] = ()  # exact mine probabilities, if the caption mentions them
    chances: tuple[tuple[Cell, float], ...] = ()  # exact win chances, if the caption mentions them

    def cells(self, role: Role) -> tuple[Cell, ...]:
        """Return the cells highlighted in this role.

        >>> frame = Frame(Observation.parse("1#/11"), "The 1 touches one hidden cell.", (("clue", ((0, 0),)),))
        >>> frame.cells("clue"), frame.cells("mine")
        (((0, 0),), ())
        """
        return dict(self.lit).get(role, ())

    def as_plain_values(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_plain_values` reads them."""
        return {
            "position": str(self.position),
            "caption": self.caption,
            "lit": {role: [list(cell) for cell in cells] for role, cells in self.lit},
            "total": self.total,
            "risks": [{"cell": list(cell), "p_mine": p_mine} for cell, p_mine in self.risks],
            "chances": [{"cell": list(cell), "p_win": p_win} for cell, p_win in self.chances],
        }

    @classmethod
    def from_plain_values(cls, values: Mapping[str, Any]) -> Frame:
        """Read a frame from plain values; raise `InputError` if they are not one.

        >>> frame = Frame(Observation.parse("1#/11"), "Here is a mine.", (("mine", ((0, 1),)),), total=True)
        >>> Frame.from_plain_values(frame.as_plain_values()) == frame
        True
        """
        with reading("a frame"):
            position = Observation.parse(values["position"])
            lit = values["lit"]
            return cls(
                position,
                str(values["caption"]),
                tuple((role, read_cells(position, lit[role])) for role in ROLES if role in lit),
                bool(values["total"]),
                tuple((read_cell(position, one["cell"]), float(one["p_mine"])) for one in values["risks"]),
                tuple((read_cell(position, one["cell"]), float(one["p_win"])) for one in values["chances"]),
            )


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson of the course."""

    number: int  # from 1
    name: str  # for links
    title: str
    about: str  # what it teaches, for a list of lessons
    text: tuple[str, ...] = field(repr=False)  # short paragraphs
    example: tuple[Frame, ...] = field(repr=False)
    puzzles: tuple[Puzzle, ...] = field(repr=False)  # easiest first
    remember: str = field(repr=False)  # one sentence

    def __str__(self) -> str:
        return f"{self.number}. {self.title}: {self.about}"

    def as_plain_values(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "number": self.number,
            "name": self.name,
            "title": self.title,
            "about": self.about,
            "text": list(self.text),
            "example": [frame.as_plain_values() for frame in self.example],
            "puzzles": [puzzle.as_plain_values() for puzzle in self.puzzles],
            "remember": self.remember,
        }


class LessonText(NamedTuple):
    """The text of a lesson, without its example and puzzles."""

    name: str
    title: str
    about: str  # what it teaches, for a list of lessons
    paragraphs: tuple[str, ...]
    remember: str


TEXTS = (
    LessonText(
        "numbers",
        "What a number says",
        "the rules, and the mines around a cell",
        (
            "The board is a grid of hidden cells. Some hide a mine, and the total says how many there are. You win "
            "when every cell without a mine is open. You lose when you open a mine. The first cell that you open is "
            "never a mine.",
            "An open cell shows a number: how many of the cells around it hide a mine. Up to eight cells touch it, "
            "including diagonally. If the number is 0, the cell stays blank. None of the cells around it is a mine, "
            "so they open by themselves, and so on until there are numbers on every side.",
            "A flag is a note to yourself that you have worked out a mine. In the web app, right-click a cell to flag "
            "it, hold your finger on it, or press F. You do not need flags to win, but they help you think.",
            "Two rules solve most boards. If a number touches exactly as many hidden cells as it says, they are all "
            "mines. If all the mines of a number are found, every other cell around it is safe.",
            "A cell has a row and a column, counted from 0 at the top left: (2, 3) is in row 2, column 3.",
        ),
        "A number counts the mines around it: when they are all found, the other cells around it are safe.",
    ),
    LessonText(
        "edges",
        "Corners and edges",
        "where a number touches only a few cells",
        (
            "A cell in the middle of the board touches eight others. At the edge it touches five, and in a corner only "
            "three. The fewer hidden cells a number touches, the more it says about each of them.",
            "So look first at the edges, in the corners, and wherever a number touches only one or two hidden cells. A "
            "1 that touches a single hidden cell has found its mine.",
            "Then continue from there. Every other number that touches this mine has one mine fewer to find, often "
            "none at all.",
        ),
        "Look first where a number touches few hidden cells: at edges and in corners.",
    ),
    LessonText(
        "one-one",
        "1-1 from a wall",
        "two 1s side by side make a cell safe",
        (
            "Sometimes no single number proves anything, but two of them do together.",
            "Take two 1s side by side along a row of hidden cells. The first is at a wall: the edge of the board, or "
            "open cells. So it touches only two of the hidden cells. The second 1 touches the same two, and one more.",
            "The mine of the first 1 is in the two cells that they share. It is the mine of the second 1 as well. So "
            "the third cell is safe, whichever of the two has the mine.",
        ),
        "1-1 from a wall: the third cell is safe.",
    ),
    LessonText(
        "one-two",
        "1-2",
        "a 1 beside a 2 finds a mine",
        (
            "Now let the second number be a 2. It touches some cells that the 1 beside it touches too, and one cell "
            "that the 1 does not.",
            "The cells that they share hold at most one mine, because the 1 touches them all. The 2 needs two mines. "
            "So the cell that only the 2 touches is a mine.",
            "There is more: the other mine of the 2 is in the cells that they share. It is the mine of the 1 as well. "
            "So the cells that only the 1 touches are safe.",
        ),
        "1-2: the cell that only the 2 touches is a mine, and the cells that only the 1 touches are safe.",
    ),
    LessonText(
        "one-two-one",
        "1-2-1 and 1-2-2-1",
        "two patterns to know by sight",
        (
            "Two 1-2s that meet make the best-known patterns of the game. The numbers are in a straight line, with "
            "hidden cells along one side only. The cell opposite a number is the hidden cell right beside it.",
            "1-2-1: read as a 1-2 from the left, it puts a mine opposite the 1 on the right. Read from the right, it "
            "puts one opposite the 1 on the left. Those are the two mines of the 2, so the cell opposite the 2 is "
            "safe.",
            "1-2-2-1: the same two readings put a mine opposite each 2. They are the mines of the 1s too, so the cells "
            "opposite the 1s are safe.",
        ),
        "In 1-2-1 the mines are opposite the 1s; in 1-2-2-1 they are opposite the 2s.",
    ),
    LessonText(
        "known-mines",
        "Subtract the mines you know",
        "what a number says once some of its mines are found",
        (
            "A number counts all its mines, including those that you have found. Subtract them to see what is left: a "
            "3 that touches two flags has one mine to find, so it works like a 1.",
            "Flags can disguise every pattern. A 2-3 can be a 1-2, and a 3-2 can be a 1-1 from a wall. Whenever a "
            "number touches a flag, say the smaller number to yourself.",
            "This is what flags are good for. Place one only when you are certain: a wrong flag makes every number "
            "around it misleading.",
        ),
        "Subtract the known mines first: a 3 that touches two flags works like a 1.",
    ),
    LessonText(
        "subsets",
        "One number inside another",
        "subtract one number from another that touches all its cells",
        (
            "1-1 from a wall is one case of a larger idea. Whenever all hidden cells of one number lie among those of "
            "another, subtract the first from the second. The cells left over hold exactly the difference.",
            "If the difference is 0, they are all safe. If it equals the number of cells left over, they are all "
            "mines.",
            "The two numbers need not be 1s, they need not be side by side, and there need not be a wall. All that "
            "matters is which hidden cells they touch.",
        ),
        "If one number's cells all lie among another's, the cells left over hold the difference.",
    ),
    LessonText(
        "pairs",
        "Pairs that overlap",
        "two numbers that share only some of their cells",
        (
            "Often two numbers share some cells, and each has other cells of its own. Then compare: how much larger is "
            "one number, and how many cells does it have of its own?",
            "The shared cells hold at most as many mines as the smaller number says. All other mines of the larger "
            "number must be in its own cells. If it has just enough of these, they are all mines.",
            "In that case the shared cells hold all the mines of the smaller number, so its own cells are safe. You "
            "know this already: 1-2 is the smallest pair of this kind.",
        ),
        "If the larger number exceeds the smaller by exactly as many as it has cells of its own, those are mines, and "
        "the smaller one's own cells are safe.",
    ),
    LessonText(
        "cases",
        "Case splits",
        "assume something and rule it out",
        (
            "When more than two numbers interact, assume something. Choose a cell and assume that it is a mine. Then "
            "go from number to number: what must be safe now, and what must be a mine?",
            "If a number ends up with too many mines, or without room for those that it needs, your assumption is "
            "wrong: the cell is safe. It works the other way round too: if a cell cannot be safe, it is a mine.",
            "Choose a cell that decides many others, next to small numbers. If you reach no contradiction, nothing is "
            "proved: drop the assumption and try another.",
        ),
        "Assume it and follow it: if you reach a contradiction, the opposite is true.",
    ),
    LessonText(
        "total",
        "Counting the last mines",
        "what the number of mines left on the board says",
        (
            "The total is a clue too, about the whole board. At first it says little, but near the end it often "
            "decides. Subtract the mines that you have found from the total, and you know how many are left.",
            "Then count how many of them the numbers need. If they need all that are left, every hidden cell that no "
            "number touches is safe. If more mines are left than the cells around the numbers can hold, the others are "
            "elsewhere.",
            "Sometimes the numbers allow several arrangements, with more mines or with fewer. Then the total may leave "
            "only one of them.",
        ),
        "Near the end, compare the mines that are left with the mines that the numbers need.",
    ),
    LessonText(
        "risk",
        "When nothing is certain: risk",
        "how likely a mine is, and which cell to choose",
        (
            "Sometimes nothing is certain. Look once more, with the total in mind. If there is still nothing, compare "
            "risks.",
            "If a 1 touches three hidden cells, each is a mine about one time in three; other numbers that touch them "
            "make it more or less. Cells that no number touches share the mines left over: 4 mines in 20 such cells is "
            "one in five.",
            "The safest cell is a good choice, but not always the best. The number that it shows may decide everything "
            "else, or nothing. What matters in the end is your win chance, and the puzzles here go by that.",
        ),
        "When nothing is certain, compare the risks of all cells before you open one.",
    ),
    LessonText(
        "fifty-fifty",
        "50/50s and when to take them",
        "two cells, one mine: now or later?",
        (
            "Two hidden cells, one mine, and nothing that says which of them has it: that is a 50/50. No skill gets "
            "you past it, but skill tells you when to take it.",
            "Wait if something may still decide it: a hidden cell beside it that will show a number, or the mines left "
            "at the end. Play the rest of the board first, and the 50/50 may solve itself.",
            "Take it if nothing can ever decide it. Waiting gains nothing, and if you are lucky, the number that you "
            "see may help with the rest.",
            "That is the whole course. Now play a beginner board, with 9 rows, 9 columns and 10 mines: you know "
            "everything you need to win.",
        ),
        "Leave a 50/50 alone while something may still decide it, and take one that nothing can.",
    ),
)


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return every lesson of the course, in order.

    >>> print(lessons()[0])
    1. What a number says: the rules, and the mines around a cell
    """
    return tuple(_read(number) for number in range(1, len(TEXTS) + 1))


def lesson(which: int | str) -> Lesson:
    """Return one lesson by its number, from 1, or by its name; raise `InputError` if there is none.

    >>> lesson(7) == lesson("subsets")
    True
    """
    for number, text in enumerate(TEXTS, start=1):
        if which == text.name or str(which).strip() == str(number):
            return _read(number)
    names = ", ".join(f"{number} {text.name}" for number, text in enumerate(TEXTS, start=1))
    raise InputError(f"There is no lesson {str(which)[:40]!r}; choose from {names}.")


@cache
def _read(number: int) -> Lesson:
    text = TEXTS[number - 1]
    found = _data()[text.name]
    return Lesson(
        number,
        text.name,
        text.title,
        text.about,
        text.paragraphs,
        tuple(Frame.from_plain_values(one) for one in found["example"]),
        tuple(Puzzle.from_plain_values(one) for one in found["puzzles"]),
        text.remember,
    )


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files("sapper.data").joinpath("course.json").read_text(encoding="utf-8"))
    return found
