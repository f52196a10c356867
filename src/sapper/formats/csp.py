"""CSP puzzles (``.csp``): positions as numbers, as constraint solvers exchange them.

``rows cols mines``, then the cells row by row: ``-1`` hidden, ``0``-``8`` clue. Line breaks do not matter, ``#``
starts a comment, and a file may hold several puzzles one after the other.

>>> print(write(Observation.parse("1#/## 1")).decode(), end="")
2 2 1 1 -1 -1 -1
>>> print(read(b"2 2 1  1 -1  -1 -1  # two rows"))
1#/## 1
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from sapper.errors import InputError
from sapper.formats.text import MAX_DIGITS, decode, require_plain
from sapper.observation import HIDDEN, Observation
from sapper.topology import check_size, topology
from sapper.words import count, name_size

_CODES = range(HIDDEN, 9)  # hidden and the clues have the same numbers as here
_NUMBER = re.compile(rf"-?\d{{1,{MAX_DIGITS}}}", re.ASCII)


class _Number(NamedTuple):
    value: int
    line: int


def read(data: bytes) -> Observation:
    """Read the only puzzle of a file."""
    puzzles = read_all(data)
    if len(puzzles) != 1:
        raise InputError(f"The .csp file holds {len(puzzles)} puzzles, but only one can be used here.")
    return puzzles[0]


def read_all(data: bytes) -> list[Observation]:
    """Read every puzzle of a file, which may be none."""
    numbers = _read_numbers(decode(data, ".csp file"))
    puzzles = []
    start = 0
    while start < len(numbers):
        puzzle, start = _read_puzzle(numbers, start)
        puzzles.append(puzzle)
    return puzzles


def write(observation: Observation) -> bytes:
    """Write one puzzle on one line; flags and exploded mines have no number."""
    total = require_plain(observation, _CODES, ".csp")
    numbers = [observation.rows, observation.cols, total, *observation.cells.ravel().tolist()]
    return (" ".join(map(str, numbers)) + "\n").encode()


def _read_numbers(text: str) -> list[_Number]:
    numbers = []
    for line, content in enumerate(text.split("\n"), start=1):
        for word in content.partition("#")[0].split():
            if not _NUMBER.fullmatch(word):
                raise InputError(f"Line {line}: {word[:40]!r} is not a number of at most {MAX_DIGITS} digits.")
            numbers.append(_Number(int(word), line))
    return numbers


def _read_puzzle(numbers: list[_Number], start: int) -> tuple[Observation, int]:
    """Return the puzzle that starts at this number and where the next one starts."""
    line = numbers[start].line
    if len(numbers) - start < 3:
        raise InputError(f"Line {line}: a puzzle starts with rows, columns and mines, but the file ends first.")
    rows, cols, total = (number.value for number in numbers[start : start + 3])
    check_size(rows, cols)
    end = start + 3 + rows * cols
    cells = numbers[start + 3 : end]
    if len(cells) < rows * cols:
        raise InputError(
            f"The puzzle on line {line} has {name_size(rows, cols)}, but the file ends after "
            f"{count(len(cells), 'cell')}."
        )
    for index, cell in enumerate(cells):
        if cell.value not in _CODES:
            row, col = divmod(index, cols)
            raise InputError(
                f"Line {cell.line}: {cell.value} at row {row}, column {col} is neither -1 (hidden) nor a clue 0-8."
            )
    codes = np.array([cell.value for cell in cells], dtype=np.int8)
    try:
        return Observation(topology("square", rows, cols), codes, total), end
    except InputError as error:
        # A file may hold many puzzles, so the error names the line too.
        raise InputError(f"In the puzzle on line {line}: {error}") from None
