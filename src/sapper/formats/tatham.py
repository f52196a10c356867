r"""Game IDs of Simon Tatham's Mines: a whole layout and the first click that is promised to be safe.

``WIDTHxHEIGHT:COLUMN,ROW,u`` and then the mines, 4 cells to a hexadecimal digit. With ``m`` in place of ``u``
the digits are obfuscated so that players do not read them by accident; such IDs are refused.

>>> opened = read(b"4x3:3,0,u840")
>>> print(opened.layout, opened.first)
*---/-*--/---- (0, 3)
>>> write(opened)
b'4x3:3,0,u840\n'
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sapper.errors import InputError
from sapper.formats.text import decode, read_digits, require_square, write_digits
from sapper.layout import Layout
from sapper.words import count

_BITS = 4
_GAME_ID = re.compile(r"(\d{1,9})x(\d{1,9})(?:n(\d{1,9})a?)?:(\d{1,9}),(\d{1,9}),([mu])(\S*)", re.ASCII)
_WITHOUT_MINES = re.compile(r"\d+x\d+\w*(?:#|:r)", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpenedLayout:
    """A layout and the cell (row, col) to open first, which is not a mine."""

    layout: Layout
    first: tuple[int, int]

    def __post_init__(self) -> None:
        row, col = self.first
        self.layout.topology.index(row, col)
        if self.layout.mines[row, col]:
            raise InputError(f"Row {row}, column {col}: the first click lies on a mine.")


def read(data: bytes) -> OpenedLayout:
    """Read a layout and the first click."""
    text = decode(data, ".tatham file").strip()
    if _WITHOUT_MINES.match(text):
        raise InputError("This game ID holds a random seed and no mines; copy the specific ID of a game instead.")
    match = _GAME_ID.fullmatch(text)
    if match is None:
        raise InputError(f"The game ID {text[:40]!r} must look like 9x9:4,4,u and then hexadecimal digits.")
    cols, rows, n_mines, col, row, kind, digits = match.groups()
    if kind == "m":
        raise InputError("The mines of this game ID are obfuscated (m); only plain ones (u) can be read.")
    layout = read_digits(digits, _BITS, int(rows), int(cols))
    if n_mines is not None and int(n_mines) != layout.n_mines:
        raise InputError(f"The game ID says {count(int(n_mines), 'mine')} but its digits hold {layout.n_mines}.")
    return OpenedLayout(layout, (int(row), int(col)))


def write(opened: OpenedLayout) -> bytes:
    """Write a layout and the first click, not obfuscated."""
    board = opened.layout.topology
    require_square(board, ".tatham")
    row, col = opened.first
    return f"{board.cols}x{board.rows}:{col},{row},u{write_digits(opened.layout, _BITS)}\n".encode()
