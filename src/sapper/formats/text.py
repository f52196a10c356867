r"""Sapper's own text formats, and what all text formats share: decoding, digits and what they cannot hold.

A position (``.pos``, ``.txt``) or a layout (``.layout``) is on one line or a line per row, as `Observation` and
`Layout` parse it:

>>> write_position(read_position(b"1#\r\n## 1\r\n"))
b'1#/## 1\n'

Other programs write mines as digits: a bit per cell, row by row, the most significant bit first. PTTA puts 5 cells into
a base-32 digit and Tatham's game IDs put 4 into a hexadecimal one; zeros fill up the last digit.

>>> write_digits(Layout.parse("*--/-*-/--*"), 4)
'888'
>>> print(read_digits("888", 4, 3, 3))
*--/-*-/--*
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sapper.channel import EXACT
from sapper.errors import FormatError, InputError
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, NO_CLUE, Observation
from sapper.topology import OWN, Topology, check_size, topology
from sapper.words import count, name_size

_DIGITS = "0123456789abcdefghijklmnopqrstuv"


def write_digits(layout: Layout, n_bits: int) -> str:
    """Return the mines as digits of ``n_bits`` bits each."""
    flat = layout.mines.ravel()
    bits = np.pad(flat, (0, -flat.size % n_bits)).reshape(-1, n_bits)
    return "".join(_DIGITS[value] for value in (bits @ _place_values(n_bits)).tolist())


def read_digits(text: str, n_bits: int, rows: int, cols: int) -> Layout:
    """Return the layout that digits describe, in upper or lower case."""
    # Check the size first: a short text must not make a large board.
    check_size(rows, cols)
    n_cells, base = rows * cols, 1 << n_bits
    n_digits = -(-n_cells // n_bits)
    if len(text) != n_digits:
        raise InputError(
            f"A board of {name_size(rows, cols)} takes {count(n_digits, f'base-{base} digit')}, not {len(text)}."
        )
    digit_values = {digit: value for value, digit in enumerate(_DIGITS[:base])}
    digit_values |= {digit.upper(): value for digit, value in digit_values.items()}
    for place, digit in enumerate(text):
        if digit not in digit_values:
            raise InputError(
                f"Digit {place} of the mines is {digit!r}, which is not one of 0-9 and a-{_DIGITS[base - 1]}."
            )
    values = np.array([digit_values[digit] for digit in text])
    bits = ((values[:, None] & _place_values(n_bits)) != 0).ravel()
    if bits[n_cells:].any():
        raise InputError(f"The last digit of the mines, {text[-1]!r}, puts a mine after the last cell.")
    return Layout(topology("square", rows, cols), bits[:n_cells])


def _place_values(n_bits: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return 1 << np.arange(n_bits - 1, -1, -1, dtype=np.int64)


_NAMES = {FLAG: "a flag", EXPLODED: "an exploded mine", NO_CLUE: "an open cell without a clue"}


def require_square(board: Topology, suffix: str) -> None:
    """Raise `FormatError` unless a board is square: files of other programs hold no other topology."""
    if board.shape != "square":
        other = "custom ones" if board.shape == OWN else f"{board.shape} ones"
        raise FormatError(f"A {suffix} file holds only square boards, not {other}.")


def require_plain(observation: Observation, codes: Collection[int], suffix: str) -> int:
    """Return the number of mines, or raise `FormatError` if a position holds anything but it and these cell codes."""
    require_square(observation.topology, suffix)
    if observation.channel != EXACT:
        raise FormatError(f"A {suffix} file holds only exact clues, not {observation.channel} ones.")
    if observation.total is None:
        raise FormatError(f"A {suffix} file needs the number of mines, which this position does not say.")
    wrong = np.flatnonzero(~np.isin(observation.cells, list(codes)))
    if wrong.size:
        row, col = observation.topology.cell(wrong[0])
        name = _NAMES[int(observation.cells[row, col])]
        raise FormatError(f"Row {row}, column {col}: a {suffix} file cannot hold {name}.")
    return observation.total


# More digits than any size, count or pixel needs, and few enough to be cheap.
MAX_DIGITS = 9


def decode(data: bytes, what: str) -> str:
    """Return the text of a file with plain line ends and without a byte order mark.

    ``what`` is what errors call it: ".mine file", or "position" where the name may end in anything.
    """
    try:
        text = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"Byte {error.start} is not text; a {what} is written in UTF-8.") from None
    if not text.strip():
        raise InputError(f"The {what} is empty.")
    return text


def whole_number(word: str, what: str) -> int:
    """Return a non-negative integer."""
    if not (word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS):
        raise InputError(f"{what} must be an integer of at most {MAX_DIGITS} digits, not {word[:40]!r}.")
    return int(word)


def read_position(data: bytes) -> Observation:
    """Read a position, of any topology and clue channel."""
    return Observation.parse(decode(data, "position"))


def write_position(observation: Observation) -> bytes:
    """Write a position on one line."""
    return f"{observation}\n".encode()


def read_layout(data: bytes) -> Layout:
    """Read a layout on a square board."""
    return Layout.parse(decode(data, ".layout file"))


def write_layout(layout: Layout) -> bytes:
    """Write a layout on one line; the text does not say the topology, so it must be square."""
    require_square(layout.topology, ".layout")
    return f"{layout}\n".encode()
