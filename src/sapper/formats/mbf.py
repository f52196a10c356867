"""MBF boards (``.mbf``, ``.abf``): a whole layout in bytes, the format of Minesweeper Clone and Arbiter.

Byte 0 is the width, byte 1 the height, bytes 2 and 3 the number of mines (high byte first); then two bytes,
column and row, for each mine. Programs differ in the order of the mines: any is read, row by row is written.

>>> write(Layout.parse("*-/--/-*")).hex(" ")
'02 03 00 02 00 00 01 02'
"""

from __future__ import annotations

from sapper.errors import FormatError, InputError
from sapper.formats.text import require_square
from sapper.layout import Layout
from sapper.topology import check_size, topology
from sapper.words import count, name_size

_HEADER_BYTES = 4
_MAX_SIDE = 255


def read(data: bytes) -> Layout:
    """Read a layout."""
    if not data:
        raise InputError("The .mbf file is empty.")
    if len(data) < _HEADER_BYTES:
        raise InputError(f"The .mbf file ends after {len(data)} of the {_HEADER_BYTES} bytes of its header.")
    cols, rows, n_mines = data[0], data[1], int.from_bytes(data[2:4], "big")
    check_size(rows, cols)
    if n_mines > rows * cols:
        raise InputError(f"Bytes 2-3 say {n_mines} mines, more than the {count(rows * cols, 'cell')} of the board.")
    length = _HEADER_BYTES + 2 * n_mines
    if len(data) != length:
        raise InputError(f"With {count(n_mines, 'mine')} the .mbf file must have {length} bytes, not {len(data)}.")
    seen: set[int] = set()
    for offset in range(_HEADER_BYTES, length, 2):
        col, row = data[offset], data[offset + 1]
        if row >= rows or col >= cols:
            raise InputError(
                f"Byte {offset}: the mine at row {row}, column {col} lies outside the board of {name_size(rows, cols)}."
            )
        if row * cols + col in seen:
            raise InputError(f"Byte {offset}: the mine at row {row}, column {col} is listed twice.")
        seen.add(row * cols + col)
    return Layout.of_numbers(topology("square", rows, cols), seen)


def write(layout: Layout) -> bytes:
    """Write a layout; at most 255 rows and 255 columns fit."""
    board = layout.topology
    require_square(board, ".mbf")
    if max(board.rows, board.cols) > _MAX_SIDE:
        raise FormatError(
            f"A .mbf file holds at most {_MAX_SIDE} rows and {_MAX_SIDE} columns, not "
            f"{name_size(board.rows, board.cols)}."
        )
    places = (place for cell in layout.mined_cells() for place in reversed(cell))
    return bytes([board.cols, board.rows]) + layout.n_mines.to_bytes(2, "big") + bytes(places)
