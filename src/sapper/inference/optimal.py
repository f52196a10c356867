"""Perfect play where few layouts are left: the exact number of layouts that the best strategy wins.

A state of knowledge is a set of layouts: those that fit everything seen. Opening a cell loses the layouts that have a
mine there and splits the others by the clue it shows. Cells that are clear in all of them are opened at once, which can
only help; so the set alone determines which cells are open, and equal sets are one state however they were reached.

The search is `kernels.endgame`. Exponential at worst; tens of thousands of layouts on small boards, thousands in the
end of a large game.

>>> from sapper.observation import Observation
>>> solve_position(Observation.parse("1#/#1 1"))
Optimum(wins=1, layouts=2, best=((0, 1), (1, 0)), by_cell={(0, 1): 1, (1, 0): 1}, n_states=0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError, TooHard
from sapper.inference.exact import mine_probabilities
from sapper.inference.search import Heuristics, search
from sapper.kernels.endgame import N_STATES, N_UNKNOWN, NO_CHOICE, NO_ROOM, choose_perfectly, make_scratch
from sapper.kernels.frontier import SAFE, UNKNOWN
from sapper.observation import HIDDEN, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.layout import Layout
    from sapper.topology import Topology

Cell = tuple[int, int]

MOST_LAYOUTS = 100_000
SMALL = 5000  # layouts of boards that are solved in passing
MOST_STATES = 2**25  # half a gigabyte of memory


@dataclass(frozen=True, slots=True)
class Optimum:
    """What perfect play is worth."""

    wins: int  # layouts that the best first cell wins
    layouts: int  # out of so many
    best: tuple[Cell, ...]  # the cells that reach it
    by_cell: dict[Cell, int]  # wins of every cell looked into; less than the best only says "less"
    n_states: int  # sets of layouts that were worked out


def solve_position(observation: Observation, most_layouts: int = MOST_LAYOUTS) -> Optimum:
    """Return what perfect play wins from a position with a known total and exact clues; raises `TooHard`."""
    if observation.total is None:
        raise InputError("Perfect play needs the number of mines.")
    if observation.channel.kind != "exact":
        raise InputError("Perfect play is for exact clues.")
    posterior = mine_probabilities(observation)
    if posterior.log_layouts > math.log(most_layouts) + 1e-9:
        raise TooHard(f"More than {most_layouts:,} layouts fit.", 0)
    # Cells that are known to be safe have not told yet what they will: they are as unknown as the others.
    settled = posterior.verdicts.ravel().copy()
    settled[settled == SAFE] = UNKNOWN
    return _solve(observation, settled, round(math.exp(posterior.log_layouts)))


@lru_cache(maxsize=64)
def solve_board(board: Topology, mines: int, most_layouts: int = MOST_LAYOUTS) -> Optimum:
    """Return what perfect play wins on an empty board whose first cell is safe, and the best first cells.

    >>> from sapper.topology import topology
    >>> best = solve_board(topology("square", 3, 3), 2)
    >>> best.wins, best.layouts
    (24, 28)
    """
    n_cells = board.n_cells
    if not 0 <= mines < n_cells:
        raise InputError(f"A board of {n_cells} cells with a safe first cell holds from 0 to {n_cells - 1} mines.")
    if comb(n_cells, mines) > most_layouts:
        raise TooHard(f"There are {comb(n_cells, mines):,} layouts, more than {most_layouts:,}.", 0)
    by_cell: dict[Cell, int] = {}
    n_states = 0
    for first in _unlike_cells(board):
        # What it shows splits the layouts into positions that have nothing more to do with each other.
        found = [
            _solve(_opened(board, first, clue, mines), np.zeros(n_cells, dtype=np.int8), n_layouts)
            for clue in range(board.degree[first] + 1)
            if (n_layouts := _ways(n_cells, int(board.degree[first]), clue, mines))
        ]
        by_cell[board.cell(first)] = sum(one.wins for one in found)
        n_states += sum(one.n_states for one in found)
    best = max(by_cell.values())
    winners = tuple(sorted(cell for cell, won in by_cell.items() if won == best))
    return Optimum(best, comb(n_cells - 1, mines), winners, by_cell, n_states)


def perfect_start(board: Topology, mines: int | None) -> int | None:
    """Return the number of the best first cell of a small board, or None where that takes longer than a moment."""
    if mines is None or not 0 < mines < board.n_cells or comb(board.n_cells, mines) > SMALL:
        return None
    return board.index(*solve_board(board, mines).best[0])


def _opened(board: Topology, first: int, clue: int, mines: int) -> Observation:
    cells = np.full((board.rows, board.cols), HIDDEN, dtype=np.int8)
    cells.flat[first] = clue
    return Observation(board, cells, mines)


def _ways(n_cells: int, degree: int, clue: int, mines: int) -> int:
    """How many layouts show this clue in the first cell."""
    return comb(degree, clue) * comb(n_cells - 1 - degree, mines - clue) if clue <= mines else 0


def _solve(observation: Observation, settled: NDArray[np.int8], n_layouts: int) -> Optimum:
    board = observation.topology
    cells = observation.cells.ravel()
    assert observation.total is not None
    n_keys = 1 << max(6, n_layouts.bit_length())
    while True:
        scratch = make_scratch(board.n_cells, n_layouts, n_keys)
        # A slack of one: the wins of cells as good as the best are exact too.
        chosen = choose_perfectly(cells, settled, board.table, board.degree, observation.total, 1, *scratch)
        if chosen != NO_ROOM:
            break
        # Every state fills two places at least; the search begins again, so the memory grows by a good deal.
        if n_keys >= 2 * MOST_STATES:
            raise TooHard(f"Perfect play takes more than {MOST_STATES:,} states here.", 0)
        n_keys = min(8 * n_keys, 2 * MOST_STATES)
    unknown, shows, wins, tally = scratch[0], scratch[4], scratch[11], scratch[12]
    n_unknown, n_states = int(tally[N_UNKNOWN]), int(tally[N_STATES])
    columns = {int(cell): column for column, cell in enumerate(unknown[:n_unknown])}
    clear = [cell for cell, column in columns.items() if not np.any(shows[:n_layouts, column] < 0)]
    if chosen == NO_CHOICE:
        by_cell = dict.fromkeys(clear, 1)
    elif chosen in clear:
        # All cells that are clear in every layout are opened, in any order.
        by_cell = dict.fromkeys(clear, int(wins[columns[int(chosen)]]))
    else:
        by_cell = {cell: int(wins[column]) for cell, column in columns.items() if wins[column] >= 0}
    best = max(by_cell.values(), default=1)
    winners = tuple(board.cell(cell) for cell in sorted(by_cell) if by_cell[cell] == best)
    return Optimum(best, n_layouts, winners, {board.cell(cell): by_cell[cell] for cell in sorted(by_cell)}, n_states)


def list_layouts(observation: Observation, most: int = MOST_LAYOUTS) -> tuple[Layout, ...]:
    """Return every layout that fits a position, if there are not too many; raises `TooHard` otherwise."""
    if observation.total is None:
        raise InputError("Perfect play needs the number of mines.")
    found = search(observation, Heuristics(), find_all=True, node_limit=50 * most)
    if not found.finished or len(found.layouts) > most:
        raise TooHard(f"More than {most:,} layouts fit.", 0)
    return found.layouts


def _unlike_cells(board: Topology) -> list[int]:
    """One cell of each kind: others are its mirror images. On a torus all are alike; hexagons are not folded."""
    if board.shape == "torus":
        return [0]
    if board.shape == "hex":
        return list(range(board.n_cells))
    return [
        row * board.cols + col
        for row in range((board.rows + 1) // 2)
        for col in range((board.cols + 1) // 2)
        if board.rows != board.cols or row <= col
    ]
