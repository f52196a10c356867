"""Which cells touch: square, torus, hex, knight, orthogonal and custom boards as one neighbour table.

Everything above this file works on the table and never on ``row ± 1``, so a new topology is a new entry in ``OFFSETS``.
Only drawings and rules about walls ask for the shape.

>>> board = topology("square", 3, 3)
>>> board.neighbours_of(board.index(0, 0))
(1, 3, 4)
>>> topology("torus", 3, 3).degree[0], topology("hex", 3, 3).degree[4]
(np.int8(8), np.int8(6))
>>> knight = topology("knight", 5, 5)  # a knight's move away, as in chess
>>> [knight.cell(number) for number in knight.neighbours_of(knight.index(0, 0))]
[(1, 2), (2, 1)]

In text, a neighbourhood is the name of its shape or, on a custom board, its table: ``own:`` and then, for every cell in
turn, the numbers of the cells that it touches, with commas between the numbers and slashes between the cells. Touching
is mutual, so a pair is written once, with the cell that comes first, and trailing cells that add nothing are left out.
The whole board is one word, so every text format of rules or positions holds custom boards too.

>>> ring = read_neighbourhood("own:1,3/2/3", 2, 2)
>>> ring.neighbours_of(0), ring.neighbours_of(3)
((1, 3), (0, 2))
>>> write_neighbourhood(ring)
'own:1,3/2/3'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index as whole
from typing import Any, Literal, SupportsIndex, TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapper.errors import InputError, check_type
from sapper.kernels import Board
from sapper.kernels.codes import MAX_DEGREE as MAX_DEGREE
from sapper.words import count, name_size

Cell = tuple[int, int]  # (row, col), counted from 0
Shape = Literal["square", "torus", "hex", "knight", "orthogonal", "own"]
OWN: Shape = "own"  # a custom board: `Topology.of_neighbours`
SHAPES: tuple[Shape, ...] = tuple(shape for shape in get_args(Shape) if shape != OWN)

MAX_CELLS = 1_000_000
USUAL_DEGREE = 8  # the most neighbours of a cell on named topologies

_EIGHT_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
# Hex boards are drawn as bricks: odd rows are shifted half a cell to the right, so the two cells touched in the rows
# above and below depend on the parity of the row.
_SIX_AROUND_EVEN = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_SIX_AROUND_ODD = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))
_FOUR_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_KNIGHTS_MOVES = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))

# Shape → the steps to a neighbour from an even and from an odd row.
OFFSETS = {
    "square": (_EIGHT_AROUND, _EIGHT_AROUND),
    "torus": (_EIGHT_AROUND, _EIGHT_AROUND),
    "hex": (_SIX_AROUND_EVEN, _SIX_AROUND_ODD),
    "knight": (_KNIGHTS_MOVES, _KNIGHTS_MOVES),
    "orthogonal": (_FOUR_SIDES, _FOUR_SIDES),
}


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """The cells of a board, numbered row by row, and which of them touch.

    shape: its name; ``own`` for a custom board.
    rows, cols: its size.
    table: the neighbours of each cell, ascending and padded with -1, (n_cells, max degree).
    degree: the number of neighbours of each cell, (n_cells,).
    graph: both, for the kernels.

    Made by `topology`, which returns one shared value per shape and size, or by `Topology.of_neighbours`.
    """

    shape: Shape
    rows: int
    cols: int
    table: NDArray[np.int32] = field(repr=False)
    degree: NDArray[np.int8] = field(repr=False)
    graph: Board = field(repr=False)

    @classmethod
    def of_neighbours(cls, rows: int, cols: int, table: Sequence[Sequence[int]]) -> Topology:
        """Make a custom board: for every cell, row by row, the numbers of the cells that it touches.

        Touching is mutual, no cell touches itself, and none touches more than 15 others. A custom board is drawn as
        rows and columns; observations, layouts, the exact engine, proofs and agents work on it as on any other.

        >>> ring = Topology.of_neighbours(1, 4, [[1, 3], [0, 2], [1, 3], [2, 0]])
        >>> ring.neighbours_of(0)
        (1, 3)
        """
        rows, cols = check_size(rows, cols)
        n_cells = rows * cols
        check_type(table, (Sequence, np.ndarray), "for every cell the numbers of those that it touches")
        if len(table) != n_cells:
            said = f"The table has {count(len(table), 'row')}"
            raise InputError(f"{said}; a board of {count(n_cells, 'cell')} needs one for each.")
        around = [_read_neighbours(number, found, n_cells) for number, found in enumerate(table)]
        for number, found in enumerate(around):
            for other in found:
                if number not in around[other]:
                    raise InputError(f"Cell {number} touches cell {other}, but not the other way round.")
        return _assemble(rows, cols, around)

    @property
    def n_cells(self) -> int:
        """The number of cells on the board."""
        return self.rows * self.cols

    def index(self, row: SupportsIndex, col: SupportsIndex) -> int:
        """Return the number of the cell at (row, col), or raise `InputError` if there is none."""
        try:
            at_row, at_col = whole(row), whole(col)
        except TypeError:
            at_row = at_col = -1
        if 0 <= at_row < self.rows and 0 <= at_col < self.cols:
            return at_row * self.cols + at_col
        raise InputError(f"There is no cell ({row}, {col}) on a board of {name_size(self.rows, self.cols)}.")

    def number(self, cell: Cell) -> int:
        """Return the number of a cell (row, col), or raise `InputError` if it is not on this board."""
        try:
            row, col = cell
        except (TypeError, ValueError):
            raise InputError(f"A cell must be given as (row, col), not as {cell!r}.") from None
        return self.index(row, col)

    def cell(self, index: int) -> Cell:
        """Return (row, col) of a cell number."""
        return divmod(int(index), self.cols)

    def fit(self, values: ArrayLike, what: str) -> NDArray[Any]:
        """Return values for every cell, (rows, cols) or flat, as an array of (rows, cols).

        Raises `InputError` for any other shape: a transposed board is not this board.
        """
        try:
            found = np.asarray(values)
        except ValueError:
            raise InputError(f"The {what} are rows of different lengths.") from None
        if found.shape not in ((self.rows, self.cols), (self.n_cells,)):
            raise InputError(
                f"The {what} have the shape {found.shape}; the board has {name_size(self.rows, self.cols)}."
            )
        return found.reshape(self.rows, self.cols)

    def neighbours_of(self, index: int) -> tuple[int, ...]:
        """Return the numbers of the cells that touch this one, ascending."""
        return tuple(self.table[index, : self.degree[index]].tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Topology):
            return NotImplemented
        if (self.shape, self.rows, self.cols) != (other.shape, other.rows, other.cols):
            return False
        return self.shape != OWN or self is other or bool(np.array_equal(self.table, other.table))

    def __hash__(self) -> int:
        return hash((self.shape, self.rows, self.cols))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        if self.shape == OWN:
            around = [self.neighbours_of(cell) for cell in range(self.n_cells)]
            return Topology.of_neighbours, (self.rows, self.cols, around)
        # Workers rebuild the shared table instead of receiving megabytes of it.
        return topology, (self.shape, self.rows, self.cols)


def check_size(rows: SupportsIndex, cols: SupportsIndex) -> tuple[int, int]:
    """Return the size of a board as integers, or raise `InputError` if it is invalid."""
    try:
        rows, cols = whole(rows), whole(cols)
    except TypeError:
        raise InputError(f"A board size must be two integers, not {rows!r} x {cols!r}.") from None
    if rows < 1 or cols < 1:
        raise InputError(f"A board needs at least one row and one column, not {name_size(rows, cols)}.")
    if rows * cols > MAX_CELLS:
        raise InputError(f"A board of {name_size(rows, cols)} has {rows * cols:,} cells; the limit is {MAX_CELLS:,}.")
    return rows, cols


def topology(shape: Shape, rows: SupportsIndex, cols: SupportsIndex) -> Topology:
    """Return the board of a shape and size; linear in the cells, then cached."""
    if shape not in SHAPES:
        raise InputError(f"There is no topology {shape!r}; choose from {', '.join(SHAPES)}.")
    return _make_topology(shape, *check_size(rows, cols))


def _read_neighbours(number: int, found: Sequence[int], n_cells: int) -> tuple[int, ...]:
    """Return the neighbours of a cell in order, or raise `InputError`."""
    try:
        around = sorted({whole(other) for other in found})
    except TypeError:
        raise InputError(f"The neighbours of cell {number} must be cell numbers, not {found!r}.") from None
    if len(around) > MAX_DEGREE:
        raise InputError(f"Cell {number} touches {len(around)} others; {MAX_DEGREE} is the limit.")
    if around and not 0 <= around[0] <= around[-1] < n_cells:
        wrong = around[0] if around[0] < 0 else around[-1]
        raise InputError(f"Cell {number} touches cell {wrong}; they are numbered from 0 to {n_cells - 1}.")
    if number in around:
        raise InputError(f"Cell {number} touches itself.")
    return tuple(around)


def _assemble(rows: int, cols: int, around: Sequence[Sequence[int]]) -> Topology:
    """Make a board from the neighbours of every cell, in order."""
    degree = np.array([len(found) for found in around], dtype=np.int8)
    table = np.full((len(around), max(1, int(degree.max()))), -1, dtype=np.int32)
    for number, found in enumerate(around):
        table[number, : len(found)] = found
    table.flags.writeable = False
    degree.flags.writeable = False
    return Topology(OWN, rows, cols, table, degree, Board(cols, table, degree))


@lru_cache(maxsize=16)  # a million cells take about 40 MB
def _make_topology(shape: Shape, rows: int, cols: int) -> Topology:
    n_cells = rows * cols
    row, col = np.divmod(np.arange(n_cells, dtype=np.int32), np.int32(cols))
    none = np.int32(n_cells)  # sorts after every real neighbour
    table = np.full((n_cells, USUAL_DEGREE), none, dtype=np.int32)
    even, odd = OFFSETS[shape]
    for k, ((even_row, even_col), (odd_row, odd_col)) in enumerate(zip(even, odd, strict=True)):
        is_odd = row % 2 == 1
        to_row = row + np.where(is_odd, odd_row, even_row).astype(np.int32)
        to_col = col + np.where(is_odd, odd_col, even_col).astype(np.int32)
        if shape == "torus":
            to_row, to_col = to_row % rows, to_col % cols
        inside = (to_row >= 0) & (to_row < rows) & (to_col >= 0) & (to_col < cols)
        table[:, k] = np.where(inside, to_row * cols + to_col, none)
    if shape == "torus":
        # On a torus of one or two rows or columns a step can lead back to the cell or twice to the same one.
        table[table == np.arange(n_cells)[:, None]] = none
        table.sort(axis=1)
        table[:, 1:][table[:, 1:] == table[:, :-1]] = none
    table.sort(axis=1)
    degree = np.count_nonzero(table != none, axis=1).astype(np.int8)
    table[table == none] = -1
    table.flags.writeable = False
    degree.flags.writeable = False
    return Topology(shape, rows, cols, table, degree, Board(cols, table, degree))


_PREFIX = f"{OWN}:"
_TABLE = re.compile(r"(\d{1,7}(,\d{1,7})*)?(/(\d{1,7}(,\d{1,7})*)?)*", re.ASCII)


def is_neighbourhood(word: str) -> bool:
    """Whether a word says which cells touch.

    >>> is_neighbourhood("hex"), is_neighbourhood("own:1/2"), is_neighbourhood("own")
    (True, True, False)
    """
    return _is_shape(word) or word.startswith(_PREFIX)


def write_neighbourhood(board: Topology) -> str:
    """Return the word from which `read_neighbourhood` makes this board."""
    return _write_table(board) if board.shape == OWN else board.shape


def read_neighbourhood(word: str, rows: int, cols: int) -> Topology:
    """Return the board of this size and neighbourhood, or raise `InputError`."""
    if _is_shape(word):
        return topology(word, rows, cols)
    if not word.startswith(_PREFIX):
        raise InputError(f"{word[:40]!r} does not say which cells touch; write {', '.join(SHAPES)} or own:TABLE.")
    return _read_table(word, *check_size(rows, cols))


def _is_shape(word: str) -> TypeGuard[Shape]:
    return word in SHAPES


@lru_cache(maxsize=16)  # the same few boards are written again and again, in every record and position
def _write_table(board: Topology) -> str:
    later = (
        ",".join(str(other) for other in board.neighbours_of(cell) if other > cell) for cell in range(board.n_cells)
    )
    return _PREFIX + "/".join(later).rstrip("/")


@lru_cache(maxsize=16)
def _read_table(word: str, rows: int, cols: int) -> Topology:
    text, n_cells = word.removeprefix(_PREFIX), rows * cols
    if not _TABLE.fullmatch(text):
        raise InputError(
            f"{word[:40]!r} is not a table of neighbours: write the numbers of cells with commas between them, and a "
            "slash after each cell."
        )
    found = text.split("/")
    if len(found) > n_cells:
        raise InputError(f"The table of neighbours has {len(found):,} cells, but the board has only {n_cells:,}.")
    around: list[set[int]] = [set() for _ in range(n_cells)]
    for cell, numbers in enumerate(found):
        for number in numbers.split(",") if numbers else ():
            other = int(number)
            around[cell].add(other)
            if other < n_cells:  # `of_neighbours` reports the others
                around[other].add(cell)
    return Topology.of_neighbours(rows, cols, [sorted(others) for others in around])
