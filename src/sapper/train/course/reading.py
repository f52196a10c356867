"""The lessons of the course: the texts, joined with the examples and puzzles that ship as data."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from sapper.errors import InputError
from sapper.train.course.lesson import Frame, Lesson
from sapper.train.course.texts import TEXTS
from sapper.train.puzzles import Puzzle


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
