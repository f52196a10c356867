r"""RawVF replays (``.rawvf``): the board and every move of the mouse, the text form of replays.

::

    Program: Sapper              ``Key: value`` lines, kept in their order
    Width: 2
    Board:
    *0                           a line per row, ``*`` mine and ``0`` none
    00
    Events:
    0.000 lc 2 1 (20 5)          seconds, operation, column and row from 1, pixels from the top left corner
    0.101 lr 2 1 (20 5)

Some programs count columns and rows from 0, others from 1, and some omit them, so the cell is computed from the
pixels, if there are any, and ``SquareSize`` (by default 16). Lines about the program's response (``number1 2 2``,
``won``) follow from the rest and are ignored, as are blank lines.

>>> replay = read(b"Board:\n*0\n00\nEvents:\n0.25 lc 1 0 (20 5)\n")
>>> print(replay.layout, replay.events[0])
*-/-- Event(milliseconds=250, op='lc', row=0, col=1, pixel_x=20, pixel_y=5)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from sapper.errors import FormatError, InputError
from sapper.formats.text import MAX_DIGITS, decode, require_square, whole_number
from sapper.layout import Layout
from sapper.topology import MAX_CELLS, check_size, topology
from sapper.words import count

# Left, right and middle button pressed (c) and released (r), the mouse moved, left pressed with shift, the
# setting for question marks switched.
Operation = Literal["lc", "lr", "rc", "rr", "mc", "mr", "mv", "sc", "mt"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

Header = tuple[tuple[str, str], ...]

_SQUARE_SIZE = 16
_MAX_SQUARE_SIZE = 999
_EVENT = re.compile(
    r"(-?)(\d{1,9})\.(\d{1,3})\s+([a-z]{2})"  # time and operation
    r"(?:\s+(-?\d{1,10})\s+(-?\d{1,10}))?"  # column and row
    r"(?:\s*\(\s*(-?\d{1,9})\s+(-?\d{1,9})\s*\))?"  # pixels
    r"(?:\s*\([lrm]*\))?",  # the buttons that are down, which the operations imply
    re.ASCII,
)
_ANSWER = re.compile(
    r"(?:-?\d+\.\d+\s+)?"
    r"(?:start|won|lost|blast|boom|nonstandard|closed|flag|questionmark|pressed|pressedqm|number[0-8])(?:\s.*)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Event:
    """One operation of the mouse, possibly outside the board."""

    milliseconds: int
    op: Operation
    row: int
    col: int
    pixel_x: int
    pixel_y: int

    def __post_init__(self) -> None:
        if self.op not in OPERATIONS:
            raise InputError(f"There is no operation {self.op!r}; choose from {', '.join(OPERATIONS)}.")
        if max(abs(self.milliseconds) // 1000, abs(self.pixel_x), abs(self.pixel_y)) >= 10**MAX_DIGITS:
            raise InputError(f"The seconds and pixels of an event have at most {MAX_DIGITS} digits.")


@dataclass(frozen=True, slots=True)
class Replay:
    """A board and the mouse events on it; the header agrees with both."""

    header: Header
    layout: Layout
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        _check_header(self.header, self.layout)
        size = square_size(self.header)
        for number, event in enumerate(self.events):
            row, col = event.pixel_y // size, event.pixel_x // size
            if (event.row, event.col) != (row, col):
                raise InputError(
                    f"Event {number} names row {event.row}, column {event.col}, but its pixels lie in row {row}, "
                    f"column {col}."
                )

    @classmethod
    def of(cls, layout: Layout) -> Replay:
        """Make a replay without events."""
        return cls((("RawVF_Version", "Rev6"), ("Program", "Sapper")), layout)


def square_size(header: Header) -> int:
    """Return the pixels along the side of a cell."""
    told = _lookup(header, "SquareSize")
    if told is None:
        return _SQUARE_SIZE
    size = whole_number(told, "SquareSize in the header")
    if not 1 <= size <= _MAX_SQUARE_SIZE:
        raise InputError(f"SquareSize in the header must be between 1 and {_MAX_SQUARE_SIZE}, not {size}.")
    return size


def read(data: bytes) -> Replay:
    """Read a replay."""
    lines = decode(data, ".rawvf file").split("\n")
    header, start = _read_header(lines)
    layout, start = _read_board(lines, start)
    # Compare the header with the board first: if a row is missing, that error is the helpful one.
    _check_header(header, layout)
    return Replay(header, layout, _read_events(lines, start, square_size(header)))


def write(replay: Replay) -> bytes:
    """Write a replay; what the header omits about the board is added."""
    require_square(replay.layout.topology, ".rawvf")
    counts = _counts(replay.layout).items()
    missing = [(key, str(count)) for key, count in counts if _lookup(replay.header, key) is None]
    lines = [_write_header_line(key, value) for key, value in (*replay.header, *missing)]
    lines.append("Board:")
    lines += ["".join("*" if mine else "0" for mine in row) for row in replay.layout.mines.tolist()]
    lines.append("Events:")
    lines += [_write_event(event) for event in replay.events]
    try:
        return "\n".join([*lines, ""]).encode()
    except UnicodeEncodeError:
        raise FormatError("The header of a .rawvf file cannot hold half of a surrogate pair.") from None


def _lookup(header: Header, key: str) -> str | None:
    # Programs differ in capitals.
    return next((value for name, value in header if name.lower() == key.lower()), None)


def _counts(layout: Layout) -> dict[str, int]:
    return {"Width": layout.topology.cols, "Height": layout.topology.rows, "Mines": layout.n_mines}


def _check_header(header: Header, layout: Layout) -> None:
    counts = {key.lower(): count for key, count in _counts(layout).items()}
    for key, told in header:
        count = counts.get(key.lower())
        if count is not None and whole_number(told, f"{key} in the header") != count:
            raise InputError(f"The header says {key}: {told} but the board shows {count}.")


def _read_header(lines: list[str]) -> tuple[Header, int]:
    """Return the header and the index of the first line of the board."""
    header: list[tuple[str, str]] = []
    for index, line in enumerate(lines):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon and not key:
            continue
        if not (colon and key):
            raise InputError(f"Line {index + 1}: {line[:40]!r} is not a header line such as Player: Ada.")
        if key.lower() == "board" and not value:
            return tuple(header), index + 1
        if key.lower() in ("board", "events"):
            raise InputError(f"Line {index + 1}: {line[:40]!r} is where Board: and its rows must be.")
        header.append((key, value))
    raise InputError("The .rawvf file has no line 'Board:' followed by the rows of the board.")


def _read_board(lines: list[str], start: int) -> tuple[Layout, int]:
    """Return the layout and the index of the first line after it."""
    rows: list[str] = []
    for line in map(str.strip, lines[start:]):
        # Old files have no line Events:, but events have spaces and rows do not.
        if not line or line.lower() == "events:" or " " in line:
            break
        rows.append(line)
    if not rows:
        raise InputError(f"Line {start}: no rows follow Board:.")
    check_size(len(rows), len(rows[0]))
    for row, line in enumerate(rows):
        if len(line) != len(rows[0]):
            raise InputError(f"Row {row} has {count(len(line), 'cell')} but row 0 has {len(rows[0])}.")
        for col, symbol in enumerate(line):
            if symbol not in "*0":
                raise InputError(f"Row {row}, column {col}: {symbol!r} is neither * (mine) nor 0 (no mine).")
    mines = np.array([[symbol == "*" for symbol in line] for line in rows])
    return Layout(topology("square", len(rows), len(rows[0])), mines), start + len(rows)


def _read_events(lines: list[str], start: int, size: int) -> tuple[Event, ...]:
    events: list[Event] = []
    is_announced = False
    for number, line in enumerate(map(str.strip, lines[start:]), start=start + 1):
        if line.lower() == "events:" and not events and not is_announced:
            is_announced = True
        elif line and not _ANSWER.fullmatch(line):
            try:
                events.append(_read_event(line, size))
            except InputError as error:
                raise InputError(f"Line {number}: {error}") from None
    return tuple(events)


def _read_event(line: str, size: int) -> Event:
    match = _EVENT.fullmatch(line)
    if match is None:
        raise InputError(f"{line[:40]!r} is not an event such as 0.250 lc 2 1 (20 5).")
    sign, seconds, fraction, op, *places = match.groups()
    milliseconds = int(f"{sign}{seconds}{fraction:0<3}")
    col, row, pixel_x, pixel_y = (None if place is None else int(place) for place in places)
    if pixel_x is None or pixel_y is None:
        if col is None or row is None:
            raise InputError(f"{line[:40]!r} has neither a cell nor pixels.")
        if max(abs(row), abs(col)) > MAX_CELLS:
            raise InputError(f"{line[:40]!r} names a cell that no board has.")
        # Without pixels, assume the middle of the cell.
        pixel_x, pixel_y = (col - 1) * size + size // 2, (row - 1) * size + size // 2
    return Event(milliseconds, op, pixel_y // size, pixel_x // size, pixel_x, pixel_y)  # type: ignore[arg-type]


def _write_header_line(key: str, value: str) -> str:
    is_marker = key.lower() in ("board", "events")
    for text in (key, value):
        if text != text.strip() or "\n" in text:
            raise FormatError(f"The header line {key[:40]!r} has spaces or line breaks that a .rawvf file would lose.")
    if not key or ":" in key or is_marker:
        raise FormatError(f"A .rawvf file cannot hold a header line with the key {key[:40]!r}.")
    return f"{key}: {value}"


def _write_event(event: Event) -> str:
    seconds, thousandths = divmod(abs(event.milliseconds), 1000)
    sign = "-" if event.milliseconds < 0 else ""
    place = f"{event.col + 1} {event.row + 1} ({event.pixel_x} {event.pixel_y})"
    return f"{sign}{seconds}.{thousandths:03} {event.op} {place}"
