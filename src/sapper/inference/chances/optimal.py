"""Perfect play where few layouts are left: the exact number of layouts that the best strategy wins.

A state of knowledge is a set of layouts: those that fit everything seen. Opening a cell loses the layouts that have a
mine there and splits the others by the clue it shows. Cells that are clear in all of them are opened at once, which can
only help; so the set alone determines which cells are open, and equal sets are one state however they were reached.

The search is `kernels.choose_perfectly`. Exponential at worst; tens of thousands of layouts on small boards, thousands
in the end of a large game. Where the board has come apart into parts that share neither a clue, nor a border, nor any
doubt about the number of mines in each, every part is solved by itself: the chances multiply.

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

from sapper import kernels
from sapper.errors import InputError, TooHard
from sapper.inference.chances.endgame import EndgameMemory
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.puzzles.heuristics import Heuristics
from sapper.inference.puzzles.search import search
from sapper.kernels.codes import MINE, NO_CHOICE, NO_ROOM, SAFE, TOO_MANY, UNKNOWN
from sapper.observation import HIDDEN, Observation
from sapper.topology import OWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.layout import Layout
    from sapper.topology import Cell, Topology


MOST_LAYOUTS = 100_000
MOST_IN_PART = 4096  # layouts of a part that is cut off from the others
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
        raise InputError("Perfect play is only worked out for exact clues.")
    posterior = mine_probabilities(observation)
    # Cells that are known to be safe have not told yet what they will: they are as unknown as the others.
    settled = posterior.verdicts.ravel().copy()
    settled[settled == SAFE] = UNKNOWN
    if posterior.log_layouts <= math.log(most_layouts) + 1e-9:
        parts = [_solve(observation, settled, round(math.exp(posterior.log_layouts)))]
    else:
        parts = _solve_parts(observation, settled, posterior.log_layouts, most_layouts)
    return _combine(observation.topology, parts)


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
        raise TooHard(
            f"There are {comb(n_cells, mines):,} layouts, more than {most_layouts:,}, the limit of --most.", 0
        )
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


@dataclass(frozen=True, slots=True)
class _Solution:
    """What perfect play is worth in some cells of the board, by their numbers."""

    wins: int
    layouts: int
    by_cell: dict[int, int]
    n_states: int


def _solve(observation: Observation, settled: NDArray[np.int8], n_layouts: int) -> _Solution:
    """Search over all layouts that fit what is seen and settled."""
    board = observation.topology
    assert observation.total is not None
    images = _symmetries(board, observation.cells)
    position = _as_position(observation, settled)
    room = 1 << max(6, n_layouts.bit_length())
    while True:
        memory = EndgameMemory(board.n_cells, n_layouts, room, images)
        # A slack of one: the wins of cells as good as the best are exact too.
        chosen = kernels.choose_perfectly(memory.ending, board.graph, position, observation.total, 1)
        if chosen == TOO_MANY:
            raise TooHard("So many cells are unsure here that their layouts are not listed.", 0)
        if chosen != NO_ROOM:
            return _read(memory, chosen, n_layouts)
        # Every state fills two places at least; the search begins again, so the memory grows by a good deal.
        if room >= 2 * MOST_STATES:
            raise TooHard(f"Perfect play takes more than {MOST_STATES:,} states here.", 0)
        room = min(8 * room, 2 * MOST_STATES)


def _solve_parts(observation: Observation, settled: NDArray[np.int8], log_layouts: float, most: int) -> list[_Solution]:
    """Search in every part that is cut off from the others, and in what remains; raises `TooHard`."""
    board = observation.topology
    found: list[_Solution] = []
    settled = settled.copy()
    most_in_part = min(most, MOST_IN_PART)
    while True:
        memory = EndgameMemory(board.n_cells, most_in_part, 1 << (128 * most_in_part).bit_length())
        chosen = kernels.choose_in_part(memory.ending, board.graph, _as_position(observation, settled), 1)
        if chosen < 0:
            break
        n_layouts, unknown = memory.ending.n_layouts, memory.unknown
        found.append(_read(memory, chosen, n_layouts))
        log_layouts -= math.log(n_layouts)
        # The others do not care which of its layouts is true: any will do.
        settled[unknown] = np.where(memory.shows[: len(unknown), 0] < 0, MINE, SAFE)
    if log_layouts > math.log(most) + 1e-9:
        raise TooHard(f"More than {most:,} layouts fit, the limit of --most.", 0)
    if log_layouts > 0.5:
        found.append(_solve(observation, settled, round(math.exp(log_layouts))))
    return found


def _as_position(observation: Observation, settled: NDArray[np.int8]) -> kernels.Position:
    # Perfect play does not ask for the chances.
    return kernels.Position(observation.cells.ravel(), settled, np.zeros(settled.size))


def _read(memory: EndgameMemory, chosen: int, n_layouts: int) -> _Solution:
    unknown = memory.unknown
    is_clear = ~np.any(memory.shows[: len(unknown), :n_layouts] < 0, axis=1)
    clear = [cell for cell, never_mined in zip(unknown, is_clear.tolist(), strict=True) if never_mined]
    wins = dict(zip(unknown, memory.wins, strict=True))
    if chosen == NO_CHOICE:
        by_cell = dict.fromkeys(clear, 1)
    elif chosen in clear:
        # All cells that are clear in every layout are opened, in any order.
        by_cell = dict.fromkeys(clear, wins[chosen])
    else:
        by_cell = {cell: won for cell, won in wins.items() if won >= 0}
    return _Solution(max(by_cell.values(), default=1), n_layouts, by_cell, memory.ending.n_states)


def _combine(board: Topology, parts: list[_Solution]) -> Optimum:
    """Parts are won together when each of them is: whichever is played first, the chances multiply."""
    wins, layouts = math.prod(part.wins for part in parts), math.prod(part.layouts for part in parts)
    by_cell = {cell: wins // part.wins * won for part in parts for cell, won in part.by_cell.items()}
    winners = tuple(board.cell(cell) for cell in sorted(by_cell) if by_cell[cell] == wins)
    n_states = sum(part.n_states for part in parts)
    return Optimum(wins, layouts, winners, {board.cell(cell): by_cell[cell] for cell in sorted(by_cell)}, n_states)


def list_layouts(observation: Observation, most: int = MOST_LAYOUTS) -> tuple[Layout, ...]:
    """Return every layout that fits a position, if there are not too many; raises `TooHard` otherwise."""
    if observation.total is None:
        raise InputError("Perfect play needs the number of mines.")
    found = search(observation, Heuristics(), find_all=True, node_limit=50 * most)
    if not found.finished or len(found.layouts) > most:
        raise TooHard(f"More than {most:,} layouts fit.", 0)
    return found.layouts


def _symmetries(board: Topology, cells: NDArray[np.int8]) -> NDArray[np.int32]:
    """Where every cell goes under the turns and mirrors that leave a position as it is; the first moves nothing."""
    grid = np.arange(board.n_cells, dtype=np.int32).reshape(board.rows, board.cols)
    # Hexagons lie in bricks; those are not turned. Of a board of somebody's own nothing is known.
    turns = [] if board.shape in ("hex", OWN) else [np.rot90(side, k) for side in (grid, grid.T) for k in range(4)]
    turned = turns or [grid]
    images = [image.ravel() for image in turned if image.shape == grid.shape]
    return np.array([image for image in images if np.array_equal(cells.ravel()[image], cells.ravel())])


def _unlike_cells(board: Topology) -> list[int]:
    """One cell of each kind: others are its mirror images, and on a torus all are alike."""
    if board.shape == "torus":
        return [0]
    images = _symmetries(board, np.full((board.rows, board.cols), HIDDEN, dtype=np.int8))
    return [int(cell) for cell in np.unique(images.min(axis=0))]
