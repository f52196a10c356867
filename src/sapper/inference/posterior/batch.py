"""The exact posterior of many positions of one board in one call.

>>> import numpy as np
>>> positions = np.array([[[1, -1], [-1, -1]], [[2, -1], [-1, -1]], [[1, -1], [0, -1]]])
>>> found = mine_probabilities_many(positions, mines=1)
>>> found
<Posteriors of 3 positions of 2x2 square: 1 answered, 2 impossible, 0 too hard>
>>> found.p_mine[0].round(3).tolist()
[[nan, 0.333], [0.333, 0.333]]
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count as count_from
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapper import kernels
from sapper.errors import InputError, TooHard, check_type
from sapper.inference.posterior.exact import check_density
from sapper.inference.posterior.workspace import Budget, GrowingWorkspace, check_budget
from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE
from sapper.observation import NO_CLUE
from sapper.topology import Shape, Topology
from sapper.topology import topology as make_topology
from sapper.words import count, name_size

# Values of `Posteriors.status`.
ANSWERED, IMPOSSIBLE, TOO_HARD = OK, CONTRADICTION, 2

_BATCH_SIZE = 256  # positions that a thread takes at a time


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posteriors:
    """What is known of the mines in each of n positions, as arrays.

    topology: the board.
    p_mine: mine probabilities, (n, rows, cols); NaN where open.
    safe: certainly safe cells, (n, rows, cols).
    mines: certain mines, (n, rows, cols).
    log_layouts: natural logarithms of the numbers of layouts that fit, (n,).
    status: ANSWERED, IMPOSSIBLE or TOO_HARD, (n,).

    Where a position is impossible or too hard, its probabilities and its logarithm are NaN and nothing is certain.
    """

    topology: Topology
    p_mine: NDArray[np.float64]
    safe: NDArray[np.bool_]
    mines: NDArray[np.bool_]
    log_layouts: NDArray[np.float64]
    status: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        answered, impossible, hard = (int((self.status == one).sum()) for one in (ANSWERED, IMPOSSIBLE, TOO_HARD))
        board = f"{self.topology.rows}x{self.topology.cols} {self.topology.shape}"
        found = f"{answered:,} answered, {impossible:,} impossible, {hard:,} too hard"
        return f"<Posteriors of {count(len(self), 'position')} of {board}: {found}>"


def mine_probabilities_many(
    cells: ArrayLike,
    *,
    mines: ArrayLike | None = None,
    topology: Shape | Topology = "square",
    density: float = 0.5,
    trust_flags: bool = False,
    budget: Budget | None = None,
    threads: int | None = 1,
) -> Posteriors:
    """Return the exact mine probability of every hidden cell of many positions.

    ``cells`` are codes as in `Observation.cells`, (n, rows, cols); ``mines`` is the number of mines, one for all
    positions or one for each, or None if it is unknown. Clues are exact; open cells may have none. Impossible and too
    hard positions get a status, not an exception. The interpreter's lock is released, so ``threads`` (None: one per
    core) share the work. ``log_layouts`` is NaN if the number of mines is unknown and ``density`` is not 0.5.
    """
    check_density(density)
    allowed = check_budget(budget)
    check_type(threads, (int, type(None)), "a number of threads, or None")
    if threads is not None and threads < 1:
        raise InputError(f"At least one thread is needed, not {threads}.")
    board, codes = _read_cells(cells, topology)
    n = len(codes)
    totals = _read_totals(mines, n, board)
    verdicts, p_mine = np.empty(codes.shape, dtype=np.int8), np.empty(codes.shape)
    log_weights, status = np.empty(n), np.empty(n, dtype=np.int8)
    batch = (codes, totals, verdicts, p_mine, log_weights, status)
    question = (-1, density / (1.0 - density), trust_flags)
    starts = count_from(0, _BATCH_SIZE)  # shared: a free thread takes the next

    def work(_thread: int) -> None:
        _answer(batch, starts, board, kernels.Query(*question), allowed)

    n_threads = min(threads or os.cpu_count() or 1, -(-n // _BATCH_SIZE))
    if n_threads <= 1:
        work(0)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(work, range(n_threads)))
    failed = status != ANSWERED
    verdicts[failed], p_mine[failed], log_weights[failed] = 0, np.nan, np.nan
    if density != 0.5:
        log_weights[totals < 0] = np.nan
    shape = (n, board.rows, board.cols)
    safe, certain_mines = (verdicts == SAFE).reshape(shape), (verdicts == MINE).reshape(shape)
    return Posteriors(board, p_mine.reshape(shape), safe, certain_mines, log_weights, status)


def _answer(
    arrays: tuple[Any, ...], starts: count_from[int], board: Topology, asked: kernels.Query, budget: Budget
) -> None:
    """Answer batches until none are left, writing into the arrays."""
    workspace = GrowingWorkspace(board.n_cells, False, budget)
    batch = kernels.Batch(*(array.reshape(-1) for array in arrays))
    status = arrays[-1]
    for first in starts:
        last = min(first + _BATCH_SIZE, len(status))
        solve_range(workspace, board, asked, batch, status, first, last)
        if last == len(status):
            return


def solve_range(
    workspace: GrowingWorkspace,
    board: Topology,
    asked: kernels.Query,
    batch: kernels.Batch,
    status: NDArray[np.int8],
    first: int,
    last: int,
) -> None:
    """Solve positions ``first`` to ``last`` - 1 of a batch; those past the budget get the status TOO_HARD."""
    while first < last:
        first, stuck = kernels.solve_many(workspace, board.graph, asked, batch, first, last)
        if stuck == OK:
            return
        try:
            workspace.grow(stuck)
        except TooHard:
            status[first] = TOO_HARD
            first += 1


def _read_cells(cells: ArrayLike, shape: Shape | Topology) -> tuple[Topology, NDArray[np.int8]]:
    """Return the board and the codes, (n, n_cells) as int8, or raise `InputError`."""
    try:
        given = np.asarray(cells)
    except ValueError:
        raise InputError("The positions are of different sizes.") from None
    if given.ndim != 3:
        raise InputError(f"The cells must be an array of (positions, rows, cols), not of the shape {given.shape}.")
    if given.dtype.kind not in "iu":
        raise InputError(f"The cells must be integer codes, but the array has the type {given.dtype}.")
    board = shape if isinstance(shape, Topology) else make_topology(shape, *given.shape[1:])
    if given.shape[1:] != (board.rows, board.cols):
        raise InputError(
            f"The positions have {name_size(*given.shape[1:])}; the board has {name_size(board.rows, board.cols)}."
        )
    wrong = np.argwhere((given < NO_CLUE) | (given > board.table.shape[1]))
    if wrong.size:
        number, row, col = wrong[0].tolist()
        raise InputError(f"Position {number}, row {row}, column {col}: {given[number, row, col]} is not a cell code.")
    return board, np.ascontiguousarray(given, dtype=np.int8).reshape(len(given), board.n_cells)


def _read_totals(mines: ArrayLike | None, n: int, board: Topology) -> NDArray[np.int32]:
    """Return the number of mines of every position, -1 where it is unknown, or raise `InputError`."""
    if mines is None:
        return np.full(n, -1, dtype=np.int32)
    given = np.asarray(mines)
    if given.dtype.kind not in "iu":
        raise InputError(f"The numbers of mines must be integers, but their type is {given.dtype}.")
    if given.shape not in ((), (n,)):
        raise InputError(
            f"Give one number of mines for all positions or one for each of the {n}, not the shape {given.shape}."
        )
    if given.size and (given.min() < 0 or given.max() > board.n_cells):
        raise InputError(f"The number of mines must lie between 0 and the {count(board.n_cells, 'cell')} of the board.")
    return np.ascontiguousarray(np.broadcast_to(given, (n,)), dtype=np.int32)
