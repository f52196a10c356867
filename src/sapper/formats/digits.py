"""Mines as a row of digits: one bit per cell, row by row, the most significant bit of a digit first.

PTTA puts 5 cells into a base-32 digit, Tatham's game IDs put 4 into a hexadecimal one. The last digit is
filled up with zeros on the right.

>>> write_digits(Layout.parse("*--/-*-/--*"), 4)
'888'
>>> print(read_digits("888", 4, 3, 3))
*--/-*-/--*
"""

from __future__ import annotations

import numpy as np

from sapper.errors import InputError
from sapper.layout import Layout
from sapper.topology import check_size, topology
from sapper.words import count, name_size

_DIGITS = "0123456789abcdefghijklmnopqrstuv"


def write_digits(layout: Layout, n_bits: int) -> str:
    """Return the mines as digits of so many bits each."""
    flat = layout.mines.ravel()
    bits = np.pad(flat, (0, -flat.size % n_bits)).reshape(-1, n_bits)
    return "".join(_DIGITS[value] for value in (bits @ _place_values(n_bits)).tolist())


def read_digits(text: str, n_bits: int, rows: int, cols: int) -> Layout:
    """Return the layout that so many digits describe; capital letters count as small ones."""
    # Sizes come first: a short text must not make a large board.
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
