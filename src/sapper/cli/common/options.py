"""Options that commands of several folders share, in the same words, and how they are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sapper.rules import Rules
    from sapper.topology import Cell

BOARD_HELP = "A name (see sapper boards) or rows x cols / mines, then words for other rules: '16x30/99 torus'."
POSITION_HELP = "A position as text such as '01#/02#/02# 2', a file (.pos .txt .mine .csp), or - for standard input."

BoardSeed = Annotated[int, typer.Option(min=0, max=2**62, help="The seed of the first board; the others follow.")]
FirstCell = Annotated[
    str | None, typer.Option(metavar="ROW,COL", help="The cell to open first; if not given, the middle.")
]


def first_cell(rules: Rules, text: str | None) -> Cell:
    """Return the first cell; if none is named, the middle of the board."""
    cell = (rules.rows // 2, rules.cols // 2) if text is None else read_first(text)
    rules.topology.number(cell)  # that it is one
    return cell


def read_first(text: str) -> tuple[int, int]:
    """Read the cell that --first names.

    >>> read_first("3,14")
    (3, 14)
    """
    from sapper.errors import InputError

    match = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text, re.ASCII)
    if match is None:
        raise InputError(f"--first should look like 3,4, not {text[:40]!r}.")
    return int(match[1]), int(match[2])
