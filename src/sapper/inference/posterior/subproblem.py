"""Parts of a board: what a few clues settle, and every layout of some cells.

The kernels ask only which cells touch which, so some hidden cells and the clues about them make a small board of their
own, whose cost does not depend on the board that they come from.

>>> Subproblem.of_statements({7: ((1, 2), 1), 8: ((2,), 1)}).settle()
{1: False, 2: True}

Two hidden cells are linked if they touch, since opening one tells about the other, or if one clue touches both. Cells
that are linked, directly or through others, form a part; certain mines belong to none. A part meets the rest of the
board only in the number of mines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import Contradiction, TooHard
from sapper.inference.posterior.exact import Posterior
from sapper.inference.posterior.workspace import Budget, GrowingWorkspace, cache_in_thread
from sapper.kernels.codes import ANY_NUMBER, CONTRADICTION, MINE, MINED, OK, SAFE, UNKNOWN
from sapper.observation import EXPLODED, HIDDEN

# By clue: its undecided cells, and how many of them are mines.
Statements = Mapping[int, tuple[tuple[int, ...], int]]


MAX_LAYOUTS = 1000
MAX_CELLS = 200
MAX_UNTOUCHED = 9  # ten cells that no clue touches have more layouts than that by themselves

_SMALLEST = 64  # cells of the smallest workspace
_BUDGET = Budget(states=500_000, megabytes=500)


@cache_in_thread(8)
def _workspace(n_cells: int) -> GrowingWorkspace:
    return GrowingWorkspace(n_cells, False, _BUDGET)


class Listing(NamedTuple):
    """Some cells, and what each shows in every layout of them."""

    cells: list[int]
    shows: NDArray[np.int8]  # (cells, layouts): mines around among these cells, MINED for a mine

    def is_never_settled(self, cell: int) -> bool:
        """Whether opening only safe cells never settles a cell, whichever layout is true.

        A cell is safe if no remaining layout has a mine there. What the safe cells show divides the layouts into
        classes, each with safe cells of its own, and so on. The number of mines counts as known, since the rest of the
        board may reveal it: a cell that stays undecided even so is undecided without it. Linear in layouts times cells
        for every class.
        """
        row = self.cells.index(cell)
        n_mines = np.count_nonzero(self.shows == MINED, axis=0)
        waiting = _divide(self.shows, n_mines[np.newaxis])
        while waiting:
            left = waiting.pop()
            is_mined = left == MINED
            if is_mined[row].all() or not is_mined[row].any():
                return False
            informative = ~is_mined.any(axis=1) & (left != left[:, :1]).any(axis=1)
            if informative.any():
                waiting += _divide(left, left[informative])
        return True


def _divide(left: NDArray[np.int8], by: NDArray[Any]) -> list[NDArray[np.int8]]:
    """Divide layouts into classes that show the same."""
    _, classes = np.unique(by, axis=1, return_inverse=True)
    classes = classes.ravel()
    return [left[:, classes == one] for one in range(int(classes.max()) + 1)]


class Subproblem:
    """Some hidden cells and the clues about them, as a board for the kernels.

    Made `of_statements`, it does not know which cells touch each other, so its layouts say where the mines are but not
    what cells show.
    """

    def __init__(self, cells: list[int], n_mines: list[int], around: list[list[int]]) -> None:
        """Take the cells, the mines around each clue and, of cells and then clues, the places of their neighbours."""
        self.cells = cells
        degree = np.array([len(places) for places in around], dtype=np.int8)
        # A cell that touches nothing still has a row in the table.
        width = max(1, int(degree.max(initial=0)))
        table = np.full((len(around), width), -1, dtype=np.int32)
        table[np.arange(width) < degree[:, np.newaxis]] = list(chain.from_iterable(around))
        self._board = kernels.Board(8, table, degree)
        self._codes = np.array([HIDDEN] * len(cells) + n_mines, dtype=np.int8)

    @classmethod
    def of_statements(cls, statements: Statements, others: Iterable[int] = ()) -> Subproblem:
        """Make the problem of some statements, and of ``others``, cells that no statement need touch."""
        touched = chain.from_iterable(cells for cells, _ in statements.values())
        places = {cell: place for place, cell in enumerate(dict.fromkeys(chain(touched, others)))}
        around: list[list[int]] = [[] for _ in places]
        for clue, (cells, _) in enumerate(statements.values(), start=len(places)):
            around.append([places[cell] for cell in cells])
            for place in around[clue]:
                around[place].append(clue)
        return cls(list(places), [n_mines for _, n_mines in statements.values()], around)

    @classmethod
    def of_cells(cls, posterior: Posterior, cells: Sequence[int]) -> Subproblem:
        """Make the problem of some cells of a position with exact clues, and of all clues that touch them."""
        board, observation = posterior.observation.topology, posterior.observation
        # As lists: to ask an array for one number takes ten times as long.
        shown: list[int] = observation.cells.ravel().tolist()
        is_mine: list[bool] = ((posterior.verdicts == MINE) | (observation.cells == EXPLODED)).ravel().tolist()
        clues = sorted({other for cell in cells for other in board.neighbours_of(cell) if shown[other] >= 0})
        touching = [board.neighbours_of(cell) for cell in (*cells, *clues)]
        places = {cell: place for place, cell in enumerate((*cells, *clues))}
        n_known = [sum(is_mine[other] for other in others) for others in touching[len(cells) :]]
        return cls(
            list(cells),
            [shown[clue] - n for clue, n in zip(clues, n_known, strict=True)],
            [sorted(places[other] for other in others if other in places) for others in touching],
        )

    def settle(self, left: int | None = None) -> dict[int, bool] | None:
        """Return which cells are certain, and whether they are mines; None if that is too hard.

        With ``left``, the cells hold that many mines together. Raises `Contradiction` if no layout fits.
        """
        n = len(self._codes)
        if not n:
            return {}
        settled = np.empty(n, dtype=np.int8)
        position = kernels.Position(self._codes, settled, np.empty(n))
        workspace = _workspace(max(_SMALLEST, 1 << (n - 1).bit_length()))
        asked = kernels.Query(-1 if left is None else left)
        while (status := kernels.solve(workspace, self._board, asked, position)) != OK:
            if status == CONTRADICTION:
                raise Contradiction("No layout fits these statements.")
            try:
                workspace.grow(status)
            except TooHard:
                return None
        workspace.give_back()
        verdicts = zip(self.cells, settled.tolist(), strict=False)  # behind the cells come the clues
        return {cell: verdict == MINE for cell, verdict in verdicts if verdict in (SAFE, MINE)}

    def layouts(self, left: int | None = None, max_layouts: int = MAX_LAYOUTS) -> Listing | None:
        """List every layout of the cells, with ``left`` mines or any number; None if there are too many."""
        n, n_cells = len(self._codes), len(self.cells)
        places = np.zeros(n, dtype=np.int32)
        # The search may take time in proportion to the layouts that there is room for.
        shows = np.zeros((n, max(max_layouts, MAX_LAYOUTS)), dtype=np.int8)
        ending = kernels.EndgameSearch(places, shows, np.zeros(n, dtype=np.int32), 1)
        position = kernels.Position(self._codes, np.full(n, UNKNOWN, dtype=np.int8), np.zeros(n))
        found = kernels.list_remaining(ending, self._board, position, ANY_NUMBER if left is None else left)
        if not 0 <= found <= max_layouts:
            return None
        return Listing([self.cells[place] for place in places[:n_cells].tolist()], shows[:n_cells, :found])


def list_part(posterior: Posterior, cell: int) -> Listing | None:
    """List the layouts of a cell's part, with any number of mines; None if there are too many."""
    cells = _find_parts(posterior, [cell])
    return None if cells is None else Subproblem.of_cells(posterior, cells).layouts()


def list_everything(posterior: Posterior) -> Listing | None:
    """List the layouts of the whole board, all hidden cells but certain mines; None if there are too many."""
    observation = posterior.observation
    if observation.total is None or posterior.log_weight > math.log(MAX_LAYOUTS) + 1e-9:
        return None
    is_mine = (posterior.verdicts == MINE) | (observation.cells == EXPLODED)
    cells = _find_parts(posterior, np.flatnonzero(observation.closed & ~is_mine).tolist())
    if cells is None:
        return None
    return Subproblem.of_cells(posterior, cells).layouts(observation.total - int(np.count_nonzero(is_mine)))


def list_layouts(posterior: Posterior, max_layouts: int) -> NDArray[np.bool_] | None:
    """List the mines of every layout of a position with exact clues, (n, rows, cols); None if there are too many.

    >>> from sapper.inference.posterior.exact import mine_probabilities
    >>> list_layouts(mine_probabilities("1#/#1 1"), 2).astype(int).tolist()
    [[[0, 0], [1, 0]], [[0, 1], [0, 0]]]
    """
    observation = posterior.observation
    # The logarithm may be off by a hair.
    if observation.total is None or posterior.log_layouts > math.log(max_layouts + 0.5):
        return None
    is_mine = ((posterior.verdicts == MINE) | (observation.cells == EXPLODED)).ravel()
    undecided = np.flatnonzero(posterior.verdicts == UNKNOWN).tolist()
    listed = Subproblem.of_cells(posterior, undecided).layouts(observation.total - int(is_mine.sum()), max_layouts)
    if listed is None:
        return None
    layouts = np.tile(is_mine, (listed.shows.shape[1], 1))
    layouts[:, listed.cells] = (listed.shows == MINED).T
    return layouts.reshape(-1, observation.rows, observation.cols)


def _find_parts(posterior: Posterior, starts: Iterable[int]) -> list[int] | None:
    """Return the cells of the parts that some cells belong to; None if they are too many to list."""
    observation = posterior.observation
    board = observation.topology
    shown: list[int] = observation.cells.ravel().tolist()
    is_member: list[bool] = (observation.closed & (posterior.verdicts != MINE)).ravel().tolist()
    is_undecided: list[bool] = (posterior.verdicts == UNKNOWN).ravel().tolist()
    found = list(starts)
    known = set(found)
    n_untouched = 0
    for cell in found:  # it grows
        around = board.neighbours_of(cell)
        clues = [other for other in around if shown[other] >= 0]
        n_untouched += is_undecided[cell] and not clues
        if len(found) > MAX_CELLS or n_untouched > MAX_UNTOUCHED:
            return None
        for one in chain(around, *map(board.neighbours_of, clues)):
            if is_member[one] and one not in known:
                known.add(one)
                found.append(one)
    return found
