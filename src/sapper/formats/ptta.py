r"""PTTA queries (``b=…&m=…``): a whole layout in a web address, for the ZiNi calculators.

``b`` is the size: 1, 2, 3 for 9x9, 16x16, 30x16, otherwise the digits of the width and then of the height,
both as long as the longer one. ``m`` holds the mines, 5 cells to a base-32 digit.

>>> layout = read(b"https://example.org/?b=54&m=g842")
>>> print(layout)
*----/-*---/--*--/---*-
>>> write(layout)
b'b=54&m=g842\n'
"""

from __future__ import annotations

from sapper.errors import InputError
from sapper.formats.text import MAX_DIGITS, decode, read_digits, require_square, write_digits
from sapper.layout import Layout

_BITS = 5
# The value of b → (rows, cols).
_PRESETS = {"1": (9, 9), "2": (16, 16), "3": (16, 30)}


def read(data: bytes) -> Layout:
    """Read a layout from a query, with or without the address before it; other keys are ignored."""
    text = decode(data, ".ptta file").strip()
    # A fragment may follow the query or contain it (/#/game?b=…), so look for ? first.
    query = text.partition("?")[2] if "?" in text else text
    values: dict[str, str] = {}
    for pair in query.partition("#")[0].split("&"):
        key, _, value = pair.partition("=")
        if key in ("b", "m") and key in values:
            raise InputError(f"The query gives {key}= twice.")
        values[key] = value
    for key, meaning in (("b", "the size of the board"), ("m", "the mines")):
        if key not in values:
            raise InputError(f"The query has no {key}=, {meaning}; it must look like b=1&m=….")
    return read_digits(values["m"], _BITS, *_read_size(values["b"]))


def write(layout: Layout) -> bytes:
    """Write a layout as a bare query."""
    board = layout.topology
    require_square(board, ".ptta")
    n_digits = len(str(max(board.rows, board.cols)))
    size = f"{board.cols:0{n_digits}}{board.rows:0{n_digits}}"
    for preset, rows_and_cols in _PRESETS.items():
        if rows_and_cols == (board.rows, board.cols):
            size = preset
    return f"b={size}&m={write_digits(layout, _BITS)}\n".encode()


def _read_size(size: str) -> tuple[int, int]:
    """Return (rows, cols)."""
    if size in _PRESETS:
        return _PRESETS[size]
    half = len(size) // 2
    if not (size.isascii() and size.isdecimal() and len(size) == 2 * half and half <= MAX_DIGITS):
        raise InputError(
            f"The size {size[:40]!r} in b= is neither 1, 2 or 3 nor a width and a height of equally many digits."
        )
    return int(size[half:]), int(size[:half])
