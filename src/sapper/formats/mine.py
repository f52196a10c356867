"""MINE positions (``.mine``): what a player sees, as the JSMinesweeper analyser saves it.

The first line is ``WIDTHxHEIGHTxMINES``; then a line per row: ``0``-``8`` clue, ``H`` hidden, ``F`` flag, and
``?`` or ``M`` a mine that is shown (``?`` is written).

>>> print(write(Observation.parse("1#/F* 2")).decode(), end="")
2x2x2
1H
F?
"""

from __future__ import annotations

import re

import numpy as np

from sapper.errors import InputError
from sapper.formats.text import decode, require_plain
from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation
from sapper.topology import check_size, topology
from sapper.words import count

_SYMBOLS = {**{clue: str(clue) for clue in range(9)}, HIDDEN: "H", FLAG: "F", EXPLODED: "?"}
_CODES = {**{symbol: code for code, symbol in _SYMBOLS.items()}, "M": EXPLODED}
_HEADER = re.compile(r"(\d{1,9})x(\d{1,9})x(\d{1,9})", re.ASCII)


def read(data: bytes) -> Observation:
    """Read a position."""
    header, *lines = decode(data, ".mine file").rstrip("\n").split("\n")
    match = _HEADER.fullmatch(header.strip())
    if match is None:
        raise InputError(f"Line 1: {header[:40]!r} is not width x height x mines as in 9x9x10.")
    cols, rows, total = (int(number) for number in match.groups())
    check_size(rows, cols)
    if len(lines) != rows:
        raise InputError(f"Line 1 says {count(rows, 'row')}, but {count(len(lines), 'line follows', 'lines follow')}.")
    codes = [_read_row(row, line, cols) for row, line in enumerate(lines)]
    return Observation(topology("square", rows, cols), np.array(codes, dtype=np.int8), total)


def write(observation: Observation) -> bytes:
    """Write a position with exact clues and a known total."""
    total = require_plain(observation, _SYMBOLS, ".mine")
    rows = ("".join(_SYMBOLS[code] for code in row) for row in observation.cells.tolist())
    return "\n".join([f"{observation.cols}x{observation.rows}x{total}", *rows, ""]).encode()


def _read_row(row: int, line: str, cols: int) -> list[int]:
    if len(line) != cols:
        raise InputError(f"Row {row} has {count(len(line), 'cell')} but line 1 says {count(cols, 'column')}.")
    for col, symbol in enumerate(line):
        if symbol not in _CODES:
            raise InputError(
                f"Row {row}, column {col}: {symbol!r} is not one of 0-8, H hidden, F flag, ? or M shown mine."
            )
    return [_CODES[symbol] for symbol in line]
