"""What a player sees: the cells as shown, the number of mines if it is known, and the clue channel. Never a mine.

A position is written in one line: rows joined by ``/``, with ``#`` for hidden, ``0``-``8`` for a clue, ``F`` for a
flag, ``*`` for an exploded mine and ``.`` for an open cell without a clue. After the rows follow, separated by spaces,
the number of mines if it is known, the topology if it is not square and the clue channel if it is not exact. On custom
boards, ``9`` and ``a``-``f`` are clues too.

>>> position = Observation.parse("1#/## 1")
>>> position.total, position.rows, position.cols, str(position)
(1, 2, 2, '1#/## 1')
>>> print(Observation.parse("01#/02#/F*. 3 hex").pretty())
    0 1 2
0 | 0 1 #
1 |  0 2 #
2 | F * .
3 mines, hex
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapper.channel import EXACT, KINDS, SOFT_KINDS, Channel
from sapper.errors import InputError, check_type
from sapper.kernels.codes import MAX_DEGREE
from sapper.notebook import draw, show_text
from sapper.topology import (
    SHAPES,
    USUAL_DEGREE,
    Shape,
    Topology,
    check_size,
    is_neighbourhood,
    read_neighbourhood,
    write_neighbourhood,
)
from sapper.topology import topology as make_topology
from sapper.words import count

# Codes of `Observation.cells`; 0 … 8 are clues.
HIDDEN = -1
FLAG = -2
EXPLODED = -3
NO_CLUE = -4

# Clues above 9, which only custom boards have, are written as letters.
SYMBOLS = {**dict(enumerate("0123456789abcdef")), HIDDEN: "#", FLAG: "F", EXPLODED: "*", NO_CLUE: "."}
OWN_CODES = {symbol: code for code, symbol in SYMBOLS.items()}
CODES = {symbol: code for symbol, code in OWN_CODES.items() if code <= USUAL_DEGREE}  # of named topologies


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Observation:
    """One position as a player sees it; read-only.

    topology: the board.
    cells: codes, (rows, cols): HIDDEN, FLAG, EXPLODED, NO_CLUE or a clue, 0 … 8 (15 on custom boards).
    total: the number of mines on the board; None if the player does not know it.
    channel: how clues are shown.

    Flags are the player's opinions: they say nothing about where mines are.
    """

    topology: Topology
    cells: NDArray[np.int8]
    total: int | None = None
    channel: Channel = EXACT

    def __post_init__(self) -> None:
        check_type(self.topology, Topology, "a topology")
        given = self.topology.fit(self.cells, "cells")
        if given.dtype != np.int8:
            given = _narrowed(given)
        cells = given.copy()
        cells.flags.writeable = False
        object.__setattr__(self, "cells", cells)
        flat = self.cells.ravel()
        wrong = np.flatnonzero((flat > self.topology.degree) | (flat < NO_CLUE))
        if wrong.size:
            row, col = self.topology.cell(wrong[0])
            code, degree = int(flat[wrong[0]]), int(self.topology.degree[wrong[0]])
            if code < NO_CLUE:
                raise InputError(f"Row {row}, column {col}: {code} is not a cell code.")
            touches = f"only {count(degree, 'cell')}"
            raise InputError(f"Row {row}, column {col}: the clue {code} touches {touches}.")
        self._check_total()

    @classmethod
    def of_game(cls, board: Topology, cells: NDArray[np.int8], total: int | None, channel: Channel) -> Observation:
        """Make an observation from a copy of valid cells, without the checks."""
        made = object.__new__(cls)
        seen = cells.reshape(board.rows, board.cols).copy()
        seen.flags.writeable = False
        for name, value in (("topology", board), ("cells", seen), ("total", total), ("channel", channel)):
            object.__setattr__(made, name, value)
        return made

    @classmethod
    def from_array(
        cls,
        cells: ArrayLike,
        *,
        mines: int | None = None,
        topology: Shape | Topology = "square",
        channel: Channel = EXACT,
    ) -> Observation:
        """Make an observation from rows of codes: 0 … 8 for clues, HIDDEN, FLAG, EXPLODED, NO_CLUE.

        ``mines`` is the number of mines, if it is known. Raises `InputError` for invalid codes, rows of different
        lengths and floats.

        >>> Observation.from_array([[1, HIDDEN], [HIDDEN, HIDDEN]], mines=1)
        Observation.parse('1#/## 1')
        """
        try:
            given = np.asarray(cells)
        except ValueError:
            raise InputError("The cells are rows of different lengths.") from None
        if given.ndim != 2:
            raise InputError(f"The cells must be an array of (rows, cols), not of the shape {given.shape}.")
        board = topology if isinstance(topology, Topology) else make_topology(topology, *given.shape)
        return cls(board, given, mines, channel)

    @classmethod
    def of(cls, position: Observation | str | ArrayLike, mines: int | None = None) -> Observation:
        """Return a position from any form: an observation, its one-line text, or an array as `from_array` takes it.

        ``mines`` is the number of mines, if the position does not include it.

        >>> Observation.of("1#/##", mines=1)
        Observation.parse('1#/## 1')
        """
        if isinstance(position, str):
            position = cls.parse(position)
        if not isinstance(position, Observation):
            return cls.from_array(position, mines=mines)
        if mines is None or mines == position.total:
            return position
        if position.total is not None:
            raise InputError(f"The position says {count(position.total, 'mine')}, not {mines}.")
        return cls(position.topology, position.cells, mines, position.channel)

    def _check_total(self) -> None:
        if self.total is None:
            return
        if not isinstance(self.total, (int, np.integer)) or isinstance(self.total, bool):
            raise InputError(f"The number of mines must be an integer or None, not {self.total!r}.")
        if not 0 <= self.total <= self.topology.n_cells:
            raise InputError(
                f"The total of {count(self.total, 'mine')} does not fit on {count(self.topology.n_cells, 'cell')}."
            )
        n_exploded = int(np.count_nonzero(self.cells == EXPLODED))
        if n_exploded > self.total:
            raise InputError(
                f"{count(n_exploded, 'mine has', 'mines have')} exploded, more than the total of {self.total}."
            )

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.topology.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self.topology.cols

    @property
    def closed(self) -> NDArray[np.bool_]:
        """The hidden cells, flagged or not: (rows, cols)."""
        closed: NDArray[np.bool_] = (self.cells == HIDDEN) | (self.cells == FLAG)
        return closed

    @property
    def likelihoods(self) -> NDArray[np.float64] | None:
        """The likelihood of every open clue for each number of mines around it, (n_cells, max degree + 1).

        None if no clue can be wrong.
        """
        if self.channel.kind not in SOFT_KINDS:
            return None
        shown, degrees = self.cells.ravel(), self.topology.degree
        tables = np.zeros((shown.size, self.topology.table.shape[1] + 1))
        for degree in np.unique(degrees).tolist():
            chosen = np.flatnonzero((degrees == degree) & (shown >= 0))
            tables[chosen, : degree + 1] = self.channel.likelihood(degree)[shown[chosen]]
        return tables

    def assuming(
        self, *, mines: Iterable[int] = (), safe: Iterable[int] = (), silent: Iterable[int] = ()
    ) -> Observation:
        """Return the position if more, or less, were known: cells by number, unchecked.

        Assumed mines count as exploded, assumed safe cells as open without a clue. Clues that are silent stay open but
        say nothing.

        >>> str(Observation.parse("1#/1# 1").assuming(mines=[1], safe=[3], silent=[2]))
        '1*/.. 1'
        """
        cells = self.cells.ravel().copy()
        cells[[*mines]] = EXPLODED
        cells[[*safe, *silent]] = NO_CLUE
        return Observation.of_game(self.topology, cells, self.total, self.channel)

    def without_flags(self) -> Observation:
        """Return the position without flags."""
        return self._with_flags_as(HIDDEN)

    def with_flags_as_mines(self) -> Observation:
        """Return the position with a known mine under every flag."""
        return self._with_flags_as(EXPLODED)

    def _with_flags_as(self, code: int) -> Observation:
        flags = self.cells == FLAG
        if not flags.any():
            return self
        cells = np.where(flags, np.int8(code), self.cells)
        return Observation.of_game(self.topology, cells, self.total, self.channel)

    @classmethod
    def parse(cls, text: str) -> Observation:
        """Read the one-line form, or the same with one row per line."""
        check_type(text, str, "a position as text such as '1#/## 1'")
        # Split the rows from the settings, which follow the last row on the same line.
        lines = [line.split() for line in text.split("\n") if line.strip()]
        if not lines:
            raise InputError("The position is empty; write rows joined by / such as 1#/## 1.")
        for number, words in enumerate(lines[:-1], start=1):
            if len(words) > 1:
                raise InputError(f"Line {number}: {words[1][:40]!r} follows a row that is not the last.")
        board, settings = [row for words in lines for row in words[0].split("/")], lines[-1][1:]
        total, neighbourhood, channel = _parse_settings(settings)
        check_size(len(board), max(len(board[0]), 1))
        is_own = neighbourhood not in SHAPES
        codes = [_parse_row(row, line, len(board[0]), is_own) for row, line in enumerate(board)]
        made = read_neighbourhood(neighbourhood, len(board), len(board[0]))
        return cls(made, np.array(codes, dtype=np.int8), total, channel)

    def __str__(self) -> str:
        words = ["/".join("".join(SYMBOLS[code] for code in row) for row in self.cells.tolist())]
        if self.total is not None:
            words.append(str(self.total))
        if self.topology.shape != "square":
            words.append(write_neighbourhood(self.topology))
        if self.channel != EXACT:
            words.append(str(self.channel))
        return " ".join(words)

    def __repr__(self) -> str:
        closed = count(int(np.count_nonzero(self.closed)), "closed cell")
        return show_text("Observation", repr(str(self)), self.topology, f"{closed}, {self.caption()}")

    def _repr_svg_(self) -> str | None:
        return draw(self.topology, "draw_svg", self)

    def pretty(self) -> str:
        """Return the board on several lines with row and column numbers, without colour."""
        margin = len(str(self.rows - 1))
        step = len(str(self.cols - 1)) + 1
        lines = [" " * (margin + 2) + "".join(str(col).rjust(step) for col in range(self.cols))]
        for row, codes in enumerate(self.cells.tolist()):
            # Odd rows of a hex board are shifted half a cell to the right.
            shift = " " * (step // 2) if self.topology.shape == "hex" and row % 2 else ""
            lines.append(f"{row:>{margin}} |{shift}" + "".join(SYMBOLS[code].rjust(step) for code in codes))
        return "\n".join([*lines, self.caption()])

    def caption(self) -> str:
        """Return in words what the cells do not show: the number of mines, the topology, the clue channel."""
        parts = ["total unknown" if self.total is None else count(self.total, "mine")]
        if self.topology.shape != "square":
            parts.append(self.topology.shape)
        if self.channel != EXACT:
            parts.append(f"clues {self.channel}")
        return ", ".join(parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        mine, theirs = (self.topology, self.total, self.channel), (other.topology, other.total, other.channel)
        return mine == theirs and bool(np.array_equal(self.cells, other.cells))

    def __hash__(self) -> int:
        return hash((self.topology, self.total, self.channel, self.cells.tobytes()))


def _narrowed(codes: NDArray[Any]) -> NDArray[np.int8]:
    """Return the codes as int8, or raise `InputError` for those that would wrap around."""
    if codes.dtype.kind not in "iu":
        raise InputError(f"The cells must be integer codes, but the array has the type {codes.dtype}.")
    wrong = np.argwhere((codes > MAX_DEGREE) | (codes < NO_CLUE))
    if wrong.size:
        row, col = wrong[0].tolist()
        check_code(row, col, codes[row, col])
    return codes.astype(np.int8)


def check_code(row: int, col: int, code: int) -> int:
    """Return the code of a cell, or raise `InputError` if it is invalid: larger numbers would wrap around."""
    if not isinstance(code, (int, np.integer)) or isinstance(code, bool) or not NO_CLUE <= code <= MAX_DEGREE:
        raise InputError(f"Row {row}, column {col}: {code} is not a cell code.")
    return int(code)


def _parse_settings(words: list[str]) -> tuple[int | None, str, Channel]:
    total: int | None = None
    neighbourhood = "square"
    channel = EXACT
    said: dict[str, str] = {}  # setting → the word that gave it
    for word in words:
        if is_neighbourhood(word):
            about, neighbourhood = "topology", word
        elif word.split(":")[0] in KINDS:
            about, channel = "clue channel", Channel.parse(word)
        elif word.isascii() and word.isdecimal():
            if len(word) > 9:
                raise InputError(f"The number of mines {word[:40]} after the rows is more than any board holds.")
            about, total = "number of mines", int(word)
        else:
            raise InputError(f"{word[:40]!r} after the rows is not a number of mines, a topology or a clue channel.")
        if about in said:
            raise InputError(f"{word[:40]!r} after the rows is a second {about}, after {said[about][:40]!r}.")
        said[about] = word
    return total, neighbourhood, channel


def _parse_row(row: int, line: str, width: int, is_own: bool) -> list[int]:
    if len(line) != width:
        raise InputError(f"Row {row} has {count(len(line), 'cell')} but row 0 has {width}.")
    codes, clues = (OWN_CODES, "0-9, a-f") if is_own else (CODES, "0-8")
    try:
        return [codes[symbol] for symbol in line]
    except KeyError as wrong:
        (symbol,) = wrong.args
        raise InputError(
            f"Row {row}, column {line.index(symbol)}: {symbol!r} is not one of # hidden, {clues}, F flag, * exploded, "
            ". no clue."
        ) from None
