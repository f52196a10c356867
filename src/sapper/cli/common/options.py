"""Options that commands of several folders share, in the same words, and how they are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sapper.rules import Rules

BOARD_HELP = "A preset (see sapper boards) or rows x cols / mines, then words: '16x30/99 torus survey'."
POSITION_HELP = "A position as text such as '01#/02#/02# 2', a file (.pos .txt .mine .csp), or - for standard input."

BoardSeed = Annotated[int, typer.Option(min=0, max=2**62, help="The first board's seed; the others follow.")]
FirstCell = Annotated[
    str | None, typer.Option(metavar="ROW,COL", help="The cell to open first; the middle of the board.")
]


def first_cell(rules: Rules, text: str | None) -> int:
    """Return the number of the first cell; if none is named, that of the middle of the board."""
    if text is None:
        return rules.topology.index(rules.rows // 2, rules.cols // 2)
    return rules.topology.index(*read_first(text))


def read_first(text: str) -> tuple[int, int]:
    """Read the cell that --first names.

    >>> read_first("3,14")
    (3, 14)
    """
    from sapper.errors import InputError

    match = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text, re.ASCII)
    if match is None:
        raise InputError(f"--first {text[:40]!r} should read like 3,4.")
    return int(match[1]), int(match[2])
