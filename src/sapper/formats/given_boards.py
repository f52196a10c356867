"""Read given boards: one JSON object per line with ``id, width, height, first [row, col], mines`` (cell numbers)."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from dataclasses import dataclass
from typing import NamedTuple

from sapper.errors import InputError, SapperError
from sapper.rules import Rules

# A few million expert boards; without a limit, a small compressed file could unpack to any size.
MAX_BYTES = 2**30

_PROMISES = {"safe": "safe", "opening": "an opening"}
STARTS = tuple(_PROMISES)  # what the first cell may promise


class GivenBoard(NamedTuple):
    """A given layout and the cell opened first, as cell numbers."""

    mines: tuple[int, ...]
    first: int


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Boards of one size and one number of mines."""

    rules: Rules
    boards: tuple[GivenBoard, ...]
    name: str  # digest of the file's contents, and the start rule


def read_boards(data: bytes, start: str) -> BoardSet:
    """Read the boards of a file, plain or compressed; ``start`` is what the first cell promises: safe or opening."""
    if start not in STARTS:
        raise InputError(f"There is no start rule {start[:40]!r}; choose {' or '.join(STARTS)}.")
    data = _unpack(data)
    boards: list[GivenBoard] = []
    rules: Rules | None = None
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        board, of_this = _read_board(number, line, start)
        if rules is not None and of_this != rules:
            raise InputError(f"Line {number}: the board is {of_this}, but those before it are {rules}.")
        rules = of_this
        boards.append(board)
    if rules is None:
        raise InputError("There is no board in the file.")
    # Hash the unpacked contents, so that a compressed copy is the same set.
    digest = hashlib.sha256(data).hexdigest()[:16]
    return BoardSet(rules, tuple(boards), f"boards:{digest}:{start}")


def _unpack(data: bytes) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"The compressed boards are damaged: {error}.") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"The boards are larger than {MAX_BYTES // 2**20} MiB when unpacked.")
    return content


def _read_board(number: int, line: bytes, start: str) -> tuple[GivenBoard, Rules]:
    try:
        entry = json.loads(line)
        rows, cols = _whole(entry["height"]), _whole(entry["width"])
        row, col = (_whole(value) for value in entry["first"])
        mines = tuple(_whole(cell) for cell in entry["mines"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(
            f"Line {number}: a board must look like "
            '{"id": 0, "width": 9, "height": 9, "first": [0, 0], "mines": [3, 14]}.'
        ) from None
    try:
        rules = Rules(rows, cols, len(mines), first_click=start)  # type: ignore[arg-type]
        first = rules.topology.index(row, col)
    except SapperError as error:
        raise InputError(f"Line {number}: {error}") from None
    if len(set(mines)) != len(mines) or any(not 0 <= cell < rules.n_cells for cell in mines):
        raise InputError(f"Line {number}: a mine is off the board or listed twice.")
    if rules.reserved(first) & set(mines):
        raise InputError(f"Line {number}: the first cell ({row}, {col}) is not {_PROMISES[start]}.")
    return GivenBoard(mines, first), rules


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value
