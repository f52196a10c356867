"""What a number says in a position, and the patterns of numbers that lessons are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sapper.observation import FLAG, HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sapper.observation import Observation
    from sapper.topology import Cell
    from sapper.train import Puzzle


class Number(NamedTuple):
    """An open number, with the hidden cells that it touches and how many mines it still has to find there."""

    cell: Cell
    shown: int
    left: int  # the flags that it touches taken off
    hidden: frozenset[Cell]  # without flags
    flags: frozenset[Cell]

    def __str__(self) -> str:
        return f"the {self.shown} at {self.cell}"


def number_at(position: Observation, cell: Cell) -> Number:
    """Read the number of an open cell."""
    around = around_of(position, cell)
    flags = frozenset(one for one in around if position.cells[one] == FLAG)
    hidden = frozenset(one for one in around if position.cells[one] == HIDDEN)
    shown = int(position.cells[cell])
    return Number(cell, shown, shown - len(flags), hidden, flags)


def around_of(position: Observation, cell: Cell) -> list[Cell]:
    """The cells that a cell touches."""
    board = position.topology
    return [board.cell(one) for one in board.neighbours_of(board.number(cell))]


def numbers_of(position: Observation) -> list[Number]:
    """Every number that touches a hidden cell, row by row."""
    cells = [position.topology.cell(at) for at in range(position.topology.n_cells)]
    found = [number_at(position, cell) for cell in cells if position.cells[cell] >= 0]
    return [one for one in found if one.hidden]


def proof_numbers(puzzle: Puzzle) -> list[Number]:
    """The numbers that the proof of a puzzle is made of."""
    assert puzzle.proof is not None
    return [number_at(puzzle.position, cell) for cell in puzzle.proof.clues]


def is_at_border(position: Observation, cell: Cell) -> bool:
    """Whether a cell is at the edge of the board."""
    row, col = cell
    return row in (0, position.rows - 1) or col in (0, position.cols - 1)


def is_in_corner(position: Observation, cell: Cell) -> bool:
    """Whether a cell is in a corner of the board."""
    row, col = cell
    return row in (0, position.rows - 1) and col in (0, position.cols - 1)


def stand_in_line(cells: Iterable[Cell]) -> bool:
    """Whether cells are all in one row or all in one column."""
    given = list(cells)
    return len({row for row, _ in given}) == 1 or len({col for _, col in given}) == 1


def share_a_side(one: Cell, other: Cell) -> bool:
    """Whether two cells are right beside each other."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def touches_no_flag(number: Number) -> bool:
    """Whether a number still has all its mines to find."""
    return not number.flags


def find_one_one(numbers: list[Number]) -> tuple[Number, Number] | None:
    """Two 1s side by side from a wall, the one at the wall first."""
    for first, second in _both_ways(numbers):
        if (
            (first.left, second.left) == (1, 1)
            and share_a_side(first.cell, second.cell)
            and first.hidden < second.hidden
            and (len(first.hidden), len(second.hidden)) == (2, 3)
            and stand_in_line(second.hidden)
        ):
            return first, second
    return None


def find_one_two(numbers: list[Number]) -> tuple[Number, Number] | None:
    """A 1 and a 2 side by side along a straight row of hidden cells, the 1 first; the 1 has a cell of its own."""
    for one, two in _both_ways(numbers):
        if (
            (one.left, two.left) == (1, 2)
            and share_a_side(one.cell, two.cell)
            and len(two.hidden - one.hidden) == 1
            and one.hidden - two.hidden
            and stand_in_line(one.hidden | two.hidden)
        ):
            return one, two
    return None


def find_row(position: Observation, shown: tuple[int, ...]) -> list[Number] | None:
    """These numbers in a straight line, without flags, along a straight row of hidden cells and no others."""
    for start in numbers_of(position):
        for step in ((0, 1), (1, 0)):
            cells = [(start.cell[0] + at * step[0], start.cell[1] + at * step[1]) for at in range(len(shown))]
            if cells[-1][0] >= position.rows or cells[-1][1] >= position.cols:
                continue
            found = [number_at(position, cell) for cell in cells]
            hidden = frozenset[tuple[int, int]]().union(*(one.hidden for one in found))
            if (
                tuple(one.shown for one in found) == shown
                and all(touches_no_flag(one) and one.hidden for one in found)
                and len(hidden) >= len(shown)
                and stand_in_line(hidden)
                and not stand_in_line({*hidden, *cells})
            ):
                return found
    return None


def opposite(number: Number) -> Cell:
    """The hidden cell right beside a number of a row."""
    (found,) = [cell for cell in number.hidden if share_a_side(cell, number.cell)]
    return found


def find_pair(numbers: list[Number]) -> tuple[Number, Number] | None:
    """Two numbers that overlap, the smaller first: the larger exceeds it by as many cells as it has of its own."""
    for small, large in _both_ways(numbers):
        own = large.hidden - small.hidden
        if own and small.hidden & large.hidden and small.hidden - large.hidden and large.left - small.left == len(own):
            return small, large
    return None


def find_subset(numbers: list[Number]) -> tuple[Number, Number] | None:
    """Two numbers of which the first has all its cells among those of the second, which settles the others."""
    for small, large in _both_ways(numbers):
        rest = large.hidden - small.hidden
        if small.hidden < large.hidden and large.left - small.left in (0, len(rest)):
            return small, large
    return None


def _both_ways(numbers: list[Number]) -> Iterator[tuple[Number, Number]]:
    for first in numbers:
        for second in numbers:
            if first != second:
                yield first, second
