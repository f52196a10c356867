"""The opening book: where to begin, found by simulation for each board and start rule (``scripts/book.py``)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.observation import Observation


@dataclass(frozen=True, slots=True)
class Opening:
    """A first cell of the book, with its chance to win by many games and the standard error."""

    cell: tuple[int, int]
    p_win: float
    error: float


@cache
def read_book() -> dict[str, dict[str, tuple[Opening, ...]]]:
    """Return the openings by board (``16x30/99``) and start rule (``safe``, ``opening``), the best first."""
    text = files("sapper.data").joinpath("book.json").read_text(encoding="utf-8")
    return {
        board: {
            start: tuple(Opening((row, col), p_win, error) for row, col, p_win, error in openings)
            for start, openings in starts.items()
        }
        for board, starts in json.loads(text)["boards"].items()
    }


def openings(observation: Observation, start: str = "safe") -> tuple[Opening, ...]:
    """Return the openings of a blank board, the best first; none if the board is not in the book."""
    board = observation.topology
    if board.shape != "square" or observation.total is None or not observation.closed.all():
        return ()
    return read_book().get(f"{board.rows}x{board.cols}/{observation.total}", {}).get(start, ())


def first_cell(observation: Observation, start: str = "safe") -> int | None:
    """Return the number of the cell to begin with, or None if the board is not in the book."""
    found = openings(observation, start)
    return observation.topology.index(*found[0].cell) if found else None
