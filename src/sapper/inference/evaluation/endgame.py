"""Endgame search: the number of remaining layouts that the best strategy wins.

A state of knowledge is a set of layouts: those that fit everything seen. Opening a cell loses the layouts that have a
mine there and splits the others by the clue it shows. Cells that are safe in all of them are opened at once, which can
only help; so the set alone determines which cells are open, and equal sets are one state however they were reached.

`kernels.choose_by_search` searches the states. Exponential at worst; tens of thousands of layouts on small boards,
thousands at the end of a large game. Exact search tries every guess; beam search, for more layouts, only the safest.
Where the board has come apart into parts that share neither a clue, nor a border, nor any doubt about the number of
mines in each, every part is solved by itself: the win chances multiply.

>>> from sapper.observation import Observation
>>> solve_position(Observation.parse("1#/#1 1"))
Optimum(wins=1, layouts=2, best=((0, 1), (1, 0)), by_cell={(0, 1): 1, (1, 0): 1}, n_states=0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import InputError, TooHard
from sapper.inference.evaluation.choice import Choice, How
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.kernels.codes import MINE, NO_CHOICE, NO_ROOM, SAFE, TOO_MANY, UNKNOWN
from sapper.observation import HIDDEN, Observation
from sapper.topology import OWN, Cell, Topology
from sapper.workers import note_stoppable

FEW = 300  # layouts; exact search takes about a millisecond
MANY = 2000  # a tenth of a second, and occasionally seconds

# In the transposition table; a search that needs more states fails.
STATES_PER_LAYOUT = 64
STATES_PER_LAYOUT_BEAM = 16

MAX_UNKNOWN = 1000  # cells; memory grows with their square


class SearchLimits(NamedTuple):
    """How many layouts are searched exactly, and how many by beam search."""

    exact: int
    beam: int


EXPERT = SearchLimits(FEW, 5_000)  # up to about ten milliseconds
MASTER = SearchLimits(MANY, 20_000)  # up to about a hundred


class EndgameMemory:
    """The memory of a search over up to ``most`` layouts, with its results where Python can read them.

    ``room`` is the size of the transposition table, a power of two. ``images`` are the symmetries of the position, a
    row of cells for each, the first of which moves nothing. More layouts than ``exact`` are searched by beam search.
    """

    def __init__(
        self, n_cells: int, most: int, room: int, images: NDArray[np.int32] | None = None, exact: int | None = None
    ) -> None:
        self._unknown = np.zeros(n_cells, dtype=np.int32)
        self._wins = np.zeros(n_cells, dtype=np.int32)
        # By place in `unknown` and layout: a clue, -1 for a mine.
        self.shows = np.zeros((min(n_cells, MAX_UNKNOWN), most), dtype=np.int8)
        self.search = kernels.EndgameSearch(self._unknown, self.shows, self._wins, room, images, exact)
        note_stoppable(self)

    @property
    def stop(self) -> bool:
        """Whether a search is to end at once, as if the table were full."""
        return bool(self.search.stop)

    @stop.setter
    def stop(self, stop: bool) -> None:
        self.search.stop = stop

    @property
    def unknown(self) -> list[int]:
        """The cells that the last search was about."""
        found: list[int] = self._unknown[: self.search.n_unknown].tolist()
        return found

    @property
    def wins(self) -> list[int]:
        """For each of them the layouts won by opening it first, or a bound from above; -1 if it was not tried."""
        found: list[int] = self._wins[: self.search.n_unknown].tolist()
        return found


class Endgame:
    """Endgame search on boards of one size, within limits. Not for two threads at once.

    >>> from sapper.observation import Observation
    >>> Endgame(6).rank(mine_probabilities(Observation.parse("1##/### 2")))[0].wins
    2
    """

    def __init__(self, n_cells: int, exact: int = FEW, beam: int = 0) -> None:
        self._exact, self._capacity = exact, max(exact, beam)
        n_states = max(STATES_PER_LAYOUT * exact, STATES_PER_LAYOUT_BEAM * beam)
        self._memory = EndgameMemory(n_cells, self._capacity, 1 << (2 * n_states - 1).bit_length(), exact=exact)

    @property
    def search(self) -> kernels.EndgameSearch:
        """The memory, as the kernels take it."""
        return self._memory.search

    def rank(self, posterior: Posterior) -> list[Choice]:
        """Return every cell with its wins by exact search, the best first; empty if there are too many layouts.

        For positions in which nothing is safe.
        """
        question = posterior.question
        is_small = question.total >= 0 and posterior.log_weight <= math.log(self._exact) + 1e-9
        if not has_exact_clues(posterior) or not is_small:
            return []
        board = question.observation.topology.graph
        # With this much slack no cell is given up before its wins are known.
        slack = self._capacity
        cell = kernels.choose_by_search(self.search, board, posterior.as_position(), question.total, slack)
        return self._ranked(posterior, cell, How.EXACT_SEARCH)

    def rank_in_part(self, posterior: Posterior) -> list[Choice]:
        """Return the cells of a part that is separate from the rest, the best first; empty if there is none.

        Wins and layouts are those of the part, and win chances are unknown. Nothing may be safe.
        """
        if not has_exact_clues(posterior):
            return []
        board = posterior.observation.topology.graph
        cell = kernels.choose_in_part(self.search, board, posterior.as_position(), self._capacity)
        return self._ranked(posterior, cell, How.PART_SEARCH)

    def _ranked(self, posterior: Posterior, best: int, how: How) -> list[Choice]:
        if best < 0:
            return []
        memory, layouts, p = self._memory, self.search.n_layouts, posterior.p_mine.ravel()
        found = [
            Choice(
                cell, float(p[cell]), how, wins / layouts if how is How.EXACT_SEARCH else None,
                wins=wins, layouts=layouts,
            )
            for cell, wins in zip(memory.unknown, memory.wins, strict=True)
            if wins >= 0
        ]  # fmt: skip
        # Of equals, the one that agents open comes first.
        return sorted(found, key=lambda choice: (-choice.wins, choice.cell != best))


def has_exact_clues(posterior: Posterior) -> bool:
    """Whether clues split the layouts as the search assumes; one that may be wrong or withheld does not."""
    return posterior.observation.channel.kind == "exact"


MAX_LAYOUTS = 100_000
MAX_IN_PART = 4096  # layouts of a separate part
SMALL = 5000  # layouts of boards that are solved before the first move
MAX_STATES = 2**25  # half a gigabyte of memory


@dataclass(frozen=True, slots=True)
class Optimum:
    """What perfect play wins."""

    wins: int  # layouts that the best first cell wins
    layouts: int  # out of these
    best: tuple[Cell, ...]  # the cells that reach it
    by_cell: dict[Cell, int]  # wins of every cell searched; upper bounds where less than the best
    n_states: int  # sets of layouts that were searched


def solve_position(observation: Observation, most_layouts: int = MAX_LAYOUTS) -> Optimum:
    """Return what perfect play wins from a position with a known total and exact clues; raises `TooHard`."""
    if observation.total is None:
        raise InputError("Perfect play needs the number of mines.")
    if observation.channel.kind != "exact":
        raise InputError("Perfect play needs exact clues.")
    posterior = mine_probabilities(observation)
    # Safe cells have not shown their clues yet, so they are as unknown as the others.
    settled = posterior.verdicts.ravel().copy()
    settled[settled == SAFE] = UNKNOWN
    if posterior.log_layouts <= math.log(most_layouts) + 1e-9:
        parts = [_solve(observation, settled, round(math.exp(posterior.log_layouts)))]
    else:
        parts = _solve_parts(observation, settled, posterior.log_layouts, most_layouts)
    return _combine(observation.topology, parts)


@lru_cache(maxsize=64)
def solve_board(board: Topology, mines: int, most_layouts: int = MAX_LAYOUTS) -> Optimum:
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
        raise TooHard(f"There are {comb(n_cells, mines):,} layouts, more than {most_layouts:,}; see --limit.", 0)
    by_cell: dict[Cell, int] = {}
    n_states = 0
    for first in _unlike_cells(board):
        # What it shows splits the layouts into independent positions.
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


def is_solvable(board: Topology, mines: int | None) -> bool:
    """Whether `solve_board` answers at once."""
    return mines is not None and 0 < mines < board.n_cells and comb(board.n_cells, mines) <= SMALL


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
    images = symmetries(board, observation.cells)
    position = _as_position(observation, settled)
    room = 1 << max(6, n_layouts.bit_length())
    while True:
        memory = EndgameMemory(board.n_cells, n_layouts, room, images)
        # A slack of one: the wins of cells as good as the best are exact too.
        chosen = kernels.choose_by_search(memory.search, board.graph, position, observation.total, 1)
        if chosen == TOO_MANY:
            raise TooHard("Too many undecided cells to enumerate layouts.", 0)
        if chosen != NO_ROOM:
            return _read(memory, chosen, n_layouts)
        # Each state takes at least two slots. The search starts again, so the table grows by a large factor.
        if room >= 2 * MAX_STATES:
            raise TooHard(f"Exact search takes more than {MAX_STATES:,} states here.", 0)
        room = min(8 * room, 2 * MAX_STATES)


def _solve_parts(observation: Observation, settled: NDArray[np.int8], log_layouts: float, most: int) -> list[_Solution]:
    """Search every separate part, then the rest; raises `TooHard`."""
    board = observation.topology
    found: list[_Solution] = []
    settled = settled.copy()
    most_in_part = min(most, MAX_IN_PART)
    while True:
        memory = EndgameMemory(board.n_cells, most_in_part, 1 << (128 * most_in_part).bit_length())
        chosen = kernels.choose_in_part(memory.search, board.graph, _as_position(observation, settled), 1)
        if chosen < 0:
            break
        n_layouts, unknown = memory.search.n_layouts, memory.unknown
        found.append(_read(memory, chosen, n_layouts))
        log_layouts -= math.log(n_layouts)
        # The rest is the same whichever of its layouts is true: any will do.
        settled[unknown] = np.where(memory.shows[: len(unknown), 0] < 0, MINE, SAFE)
    if log_layouts > math.log(most) + 1e-9:
        raise TooHard(f"More than {most:,} layouts fit; see --limit.", 0)
    if log_layouts > 0.5:
        found.append(_solve(observation, settled, round(math.exp(log_layouts))))
    return found


def _as_position(observation: Observation, settled: NDArray[np.int8]) -> kernels.Position:
    # The search does not read probabilities.
    return kernels.Position(observation.cells.ravel(), settled, np.zeros(settled.size))


def _read(memory: EndgameMemory, chosen: int, n_layouts: int) -> _Solution:
    unknown = memory.unknown
    is_safe = ~np.any(memory.shows[: len(unknown), :n_layouts] < 0, axis=1)
    safe = [cell for cell, never_mined in zip(unknown, is_safe.tolist(), strict=True) if never_mined]
    wins = dict(zip(unknown, memory.wins, strict=True))
    if chosen == NO_CHOICE:
        by_cell = dict.fromkeys(safe, 1)
    elif chosen in safe:
        # Cells that are safe in every layout are opened first, in any order.
        by_cell = dict.fromkeys(safe, wins[chosen])
    else:
        by_cell = {cell: won for cell, won in wins.items() if won >= 0}
    return _Solution(max(by_cell.values(), default=1), n_layouts, by_cell, memory.search.n_states)


def _combine(board: Topology, parts: list[_Solution]) -> Optimum:
    """Join the parts: a game is won if each of them is, so the win chances multiply in any order."""
    wins, layouts = math.prod(part.wins for part in parts), math.prod(part.layouts for part in parts)
    by_cell = {cell: wins // part.wins * won for part in parts for cell, won in part.by_cell.items()}
    winners = tuple(board.cell(cell) for cell in sorted(by_cell) if by_cell[cell] == wins)
    n_states = sum(part.n_states for part in parts)
    return Optimum(wins, layouts, winners, {board.cell(cell): by_cell[cell] for cell in sorted(by_cell)}, n_states)


def symmetries(board: Topology, cells: NDArray[np.int8]) -> NDArray[np.int32]:
    """Where every cell goes under the turns and mirrors that leave a position as it is; the first moves nothing."""
    grid = np.arange(board.n_cells, dtype=np.int32).reshape(board.rows, board.cols)
    # Hexagons lie in bricks, which are not turned. Custom boards have no known symmetry.
    turns = [] if board.shape in ("hex", OWN) else [np.rot90(side, k) for side in (grid, grid.T) for k in range(4)]
    turned = turns or [grid]
    images = [image.ravel() for image in turned if image.shape == grid.shape]
    return np.array([image for image in images if np.array_equal(cells.ravel()[image], cells.ravel())])


def _unlike_cells(board: Topology) -> list[int]:
    """One cell of each symmetry class; on a torus all cells are alike."""
    if board.shape == "torus":
        return [0]
    images = symmetries(board, np.full((board.rows, board.cols), HIDDEN, dtype=np.int8))
    return [int(cell) for cell in np.unique(images.min(axis=0))]
