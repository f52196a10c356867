"""Every layout of a few cells, and whether safe openings among them ever settle one.

Two hidden cells are linked if they touch, since opening one tells about the other, or if one clue touches both. What
is linked, directly or through others, is a part; certain mines belong to none. A part meets the rest of the board only
in the number of mines.

What a handful of statements settles, exactly, at a cost that does not depend on the board.

The engine asks only which cells touch which: so the statements become a small board of their own, each a clue cell that
touches its unknown cells. Boards are padded to a few sizes, for which memory is kept.

>>> settle_statements({7: ((1, 2), 1), 8: ((2,), 1)})
{1: False, 2: True}
"""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sapper import kernels
from sapper.errors import Contradiction, TooHard
from sapper.inference.posterior.workspace import Budget, Workspace, cache_in_thread
from sapper.kernels.codes import ANY_NUMBER, CONTRADICTION, MAX_DEGREE, MINE, MINED, OK, SAFE, UNKNOWN
from sapper.observation import EXPLODED, HIDDEN, NO_CLUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior


MOST_LAYOUTS = 1000
MOST_CELLS = 200
MOST_UNTOUCHED = 9  # ten cells that no clue touches have more layouts than that by themselves


class Listing(NamedTuple):
    """Some cells, and what each shows in every layout of them."""

    cells: list[int]
    shows: NDArray[np.int8]  # (cells, layouts): mines around among these cells, MINED for a mine

    def is_never_settled(self, cell: int) -> bool:
        """Whether opening only safe cells never settles a cell, in whichever of the layouts.

        Safe is what is clear in all layouts that are left. What the safe cells show divides the layouts; each class has
        safe cells of its own, and so on. The number of mines is told beforehand: the rest of the board may tell it, and
        whoever does not know even with it does not know without. Linear in the layouts times the cells for every class.
        """
        row = self.cells.index(cell)
        n_mines = np.count_nonzero(self.shows == MINED, axis=0)
        waiting = _divide(self.shows, n_mines[np.newaxis])
        while waiting:
            left = waiting.pop()
            is_mined = left == MINED
            if is_mined[row].all() or not is_mined[row].any():
                return False
            telling = ~is_mined.any(axis=1) & (left != left[:, :1]).any(axis=1)
            if telling.any():
                waiting += _divide(left, left[telling])
        return True


def _divide(left: NDArray[np.int8], by: NDArray[Any]) -> list[NDArray[np.int8]]:
    """Divide layouts into classes that show the same."""
    _, classes = np.unique(by, axis=1, return_inverse=True)
    classes = classes.ravel()
    return [left[:, classes == one] for one in range(int(classes.max()) + 1)]


def list_part(posterior: Posterior, cell: int) -> Listing | None:
    """List the layouts of a cell's part, with whatever number of mines; None if there are too many."""
    cells = _gather(posterior, [cell])
    return None if cells is None else _list(posterior, cells, ANY_NUMBER)


def list_everything(posterior: Posterior) -> Listing | None:
    """List the layouts of the whole board; None if there are too many."""
    observation = posterior.observation
    if observation.total is None or posterior.log_weight > math.log(MOST_LAYOUTS) + 1e-9:
        return None
    is_mine = (posterior.verdicts == MINE) | (observation.cells == EXPLODED)
    cells = _gather(posterior, np.flatnonzero(observation.closed & ~is_mine).tolist())
    return None if cells is None else _list(posterior, cells, observation.total - int(np.count_nonzero(is_mine)))


def _gather(posterior: Posterior, starts: Iterable[int]) -> list[int] | None:
    """Return the parts of some cells; None if that is too much."""
    observation = posterior.observation
    board = observation.topology
    # As lists: to ask an array for one number takes ten times as long.
    shown: list[int] = observation.cells.ravel().tolist()
    is_member: list[bool] = (observation.closed & (posterior.verdicts != MINE)).ravel().tolist()
    is_unsure: list[bool] = (posterior.verdicts == UNKNOWN).ravel().tolist()
    found = list(starts)
    known = set(found)
    n_untouched = 0
    for cell in found:  # it grows
        around = board.neighbours_of(cell)
        clues = [other for other in around if shown[other] >= 0]
        n_untouched += is_unsure[cell] and not clues
        if len(found) > MOST_CELLS or n_untouched > MOST_UNTOUCHED:
            return None
        for one in chain(around, *map(board.neighbours_of, clues)):
            if is_member[one] and one not in known:
                known.add(one)
                found.append(one)
    return found


def _list(posterior: Posterior, cells: Sequence[int], left: int) -> Listing | None:
    """List the layouts of whole parts that hold so many mines: on a board of their own, clues behind the cells."""
    observation = posterior.observation
    board = observation.topology
    shown: list[int] = observation.cells.ravel().tolist()
    is_mine: list[bool] = ((posterior.verdicts == MINE) | (observation.cells == EXPLODED)).ravel().tolist()
    clues = sorted({other for cell in cells for other in board.neighbours_of(cell) if shown[other] >= 0})
    members = [*cells, *clues]
    touching = [board.neighbours_of(cell) for cell in members]
    numbers = {cell: number for number, cell in enumerate(members)}
    around = [[numbers[other] for other in others if other in numbers] for others in touching]
    # A cell that touches nothing still has a row in the table.
    table = np.full((len(members), max(1, *map(len, around))), -1, dtype=np.int32)
    for number, others in enumerate(around):
        table[number, : len(others)] = sorted(others)
    degree = np.array([len(others) for others in around], dtype=np.int8)
    codes = np.full(len(members), HIDDEN, dtype=np.int8)
    for number, clue in enumerate(clues, start=len(cells)):
        codes[number] = shown[clue] - sum(is_mine[other] for other in touching[number])
    unknown = np.zeros(len(members), dtype=np.int32)
    shows = np.zeros((len(members), MOST_LAYOUTS), dtype=np.int8)
    ending = kernels.Ending(unknown, shows, np.zeros(len(members), dtype=np.int32), 1)
    settled = np.full(len(members), UNKNOWN, dtype=np.int8)
    position = kernels.Position(codes, settled, np.zeros(len(members)))
    n_layouts = kernels.list_remaining(ending, kernels.Board(board.cols, table, degree), position, left)
    if n_layouts < 0:
        return None
    return Listing([members[number] for number in unknown[: len(cells)].tolist()], shows[: len(cells), :n_layouts])


if TYPE_CHECKING:
    # By clue: its unknown cells, and how many of them are mines.
    Statements = Mapping[int, tuple[tuple[int, ...], int]]

_SMALLEST = 64
_BUDGET = Budget(states=500_000, megabytes=500)


@cache_in_thread(8)
class _Board:
    """Arrays for statements about so many cells, clues included."""

    def __init__(self, n: int) -> None:
        self.workspace = Workspace(n, False, _BUDGET)
        self.cells = np.full(n, NO_CLUE, dtype=np.int8)
        self.table = np.full((n, MAX_DEGREE), -1, dtype=np.int32)
        self.degree = np.zeros(n, dtype=np.int8)
        self.graph = kernels.Board(8, self.table, self.degree)
        self.settled = np.empty(n, dtype=np.int8)
        self.position = kernels.Position(self.cells, self.settled, np.empty(n))


def settle_statements(
    statements: Statements, others: Iterable[int] = (), left: int | None = None
) -> dict[int, bool] | None:
    """Return which cells are certain, and whether they are mines; None where that takes too much to find out.

    With ``left``, all these cells and ``others``, which no statement touches, hold so many mines together.
    """
    numbers: dict[int, int] = {}
    for cells, _ in statements.values():
        for cell in cells:
            numbers.setdefault(cell, len(numbers))
    if left is not None:
        for cell in others:
            numbers.setdefault(cell, len(numbers))
    n_cells = len(numbers)
    n = n_cells + len(statements)
    board = _Board(max(_SMALLEST, 1 << (n - 1).bit_length()))
    codes, degree, table = board.cells, board.degree, board.table
    codes[:] = NO_CLUE
    codes[:n_cells] = HIDDEN
    degree[:] = 0
    for clue, (cells, n_mines) in enumerate(statements.values(), start=n_cells):
        codes[clue] = n_mines
        degree[clue] = len(cells)
        for k, cell in enumerate(cells):
            number = numbers[cell]
            table[clue, k] = number
            table[number, degree[number]] = clue
            degree[number] += 1
    asked = kernels.Query(-1 if left is None else left)
    while (status := kernels.solve(board.workspace, board.graph, asked, board.position)) != OK:
        if status == CONTRADICTION:
            raise Contradiction("No layout fits these statements.")
        try:
            board.workspace.grow(status)
        except TooHard:
            return None
    board.workspace.give_back()
    verdicts = board.settled[:n_cells].tolist()
    return {cell: verdicts[number] == MINE for cell, number in numbers.items() if verdicts[number] in (SAFE, MINE)}
