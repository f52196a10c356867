"""The course: twelve lessons, each with text, an example shown frame by frame, puzzles and one sentence to remember.

The texts are in ``data/lessons.toml``; examples and puzzles in ``data/course.json``, written by ``scripts/course.py``.
"""

from __future__ import annotations

import json
import tomllib
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
        return {name: getattr(self, name) for name in self.__slots__} | {
            "text": list(self.text),
            "example": [frame.as_plain_values() for frame in self.example],
            "puzzles": [puzzle.as_plain_values() for puzzle in self.puzzles],
        }


class LessonText(NamedTuple):
    """The text of a lesson, without its example and puzzles."""

    name: str
    title: str
    about: str  # what it teaches, for a list of lessons
    paragraphs: tuple[str, ...]
    remember: str


def _read_text(values: Mapping[str, Any]) -> LessonText:
    return LessonText(**{**values, "paragraphs": tuple(values["paragraphs"])})


TEXTS = tuple(map(_read_text, tomllib.loads((files("sapper.data") / "lessons.toml").read_text("utf-8"))["lesson"]))


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
