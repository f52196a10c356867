"""Perfect play over few layouts, nearly perfect play over more: asks `kernels.choose_perfectly`.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> end = Endgame(6)
>>> end.choose(mine_probabilities(Observation.parse("1##/### 2")))
Ending(cell=1, wins=2, layouts=6)

Perfect play where few layouts are left: the exact number of layouts that the best strategy wins.

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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper import kernels
from sapper.errors import InputError, TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.interrupts import note_stoppable
from sapper.kernels.codes import MINE, NO_CHOICE, NO_ROOM, SAFE, TOO_MANY, UNKNOWN
from sapper.observation import HIDDEN, Observation
from sapper.topology import OWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.topology import Cell, Topology


FEW = 300  # layouts that perfect play takes about a millisecond for
MANY = 2000  # a tenth of a second, and seconds now and then

# Remembered at most; what needs more is left to others.
STATES_PER_LAYOUT = 64
STATES_PER_LAYOUT_NEARLY = 16

MOST_UNKNOWN = 1000  # cells; memory grows with their square


class Reach(NamedTuple):
    """From how many layouts on play is perfect, and from how many nearly so: only the safest guesses are thought of."""

    perfect: int
    nearly: int


EXPERT = Reach(FEW, 5_000)  # up to some ten milliseconds
MASTER = Reach(MANY, 20_000)  # up to some hundred


class Ending(NamedTuple):
    """The best cell where few layouts are left, and how many of them perfect play wins with it.

    Nearly perfect play wins at least so many.
    """

    cell: int
    wins: int
    layouts: int


class EndgameMemory:
    """The memory of a search over up to ``most`` layouts, with its results where Python can read them.

    ``room`` is the number of places for states, a power of two. ``images`` are the symmetries of the position, a row of
    cells for each, the first of which moves nothing; without them, nothing is taken for alike. Play is perfect up to
    ``perfect`` layouts, or as far as there is room.
    """

    def __init__(
        self, n_cells: int, most: int, room: int, images: NDArray[np.int32] | None = None, perfect: int | None = None
    ) -> None:
        self._unknown = np.zeros(n_cells, dtype=np.int32)
        self._wins = np.zeros(n_cells, dtype=np.int32)
        # By place in `unknown` and layout: a clue, -1 for a mine.
        self.shows = np.zeros((min(n_cells, MOST_UNKNOWN), most), dtype=np.int8)
        self.ending = kernels.Ending(self._unknown, self.shows, self._wins, room, images, perfect)
        note_stoppable(self)

    @property
    def stop(self) -> bool:
        """Whether a search is to end at once, as if there were no room for it."""
        return bool(self.ending.stop)

    @stop.setter
    def stop(self, stop: bool) -> None:
        self.ending.stop = stop

    @property
    def unknown(self) -> list[int]:
        """The cells that the last search was about."""
        found: list[int] = self._unknown[: self.ending.n_unknown].tolist()
        return found

    @property
    def wins(self) -> list[int]:
        """For each of them the layouts won by opening it first, or a bound from above; -1 if it was not tried."""
        found: list[int] = self._wins[: self.ending.n_unknown].tolist()
        return found


class Endgame:
    """Perfect play on boards of one size, as far as it reaches. Not for two threads at once."""

    def __init__(self, n_cells: int, perfect: int = FEW, nearly: int = 0) -> None:
        self._perfect, self._most = perfect, max(perfect, nearly)
        n_states = max(STATES_PER_LAYOUT * perfect, STATES_PER_LAYOUT_NEARLY * nearly)
        self._memory = EndgameMemory(n_cells, self._most, 1 << (2 * n_states - 1).bit_length(), perfect=perfect)

    @property
    def ending(self) -> kernels.Ending:
        """The memory, as the kernels take it."""
        return self._memory.ending

    def choose(self, posterior: Posterior) -> Ending | None:
        """Return the best cell of a position with exact clues in which nothing is safe; None where that is too much."""
        return self._best(self._search(posterior, 0, self._most))

    def choose_in_part(self, posterior: Posterior) -> Ending | None:
        """Return the best cell of a part that is cut off from the rest of the board; None if there is none.

        Wins and layouts are those of the part. Nothing may be safe.
        """
        return self._best(self._search_part(posterior, 0))

    def rank(self, posterior: Posterior) -> list[Ending]:
        """Return every cell with its wins by perfect play, the best first; empty where that is too much.

        Slower than `choose`.
        """
        # With so much slack no cell is given up before its wins are known.
        return self._ranked(self._search(posterior, self._most, self._perfect))

    def rank_in_part(self, posterior: Posterior) -> list[Ending]:
        """Return the cells of a part that is cut off from the rest, the best first; empty if there is none."""
        return self._ranked(self._search_part(posterior, self._most))

    def is_perfect(self, ending: Ending) -> bool:
        """Whether it was found by perfect play, and not nearly so."""
        return ending.layouts <= self._perfect

    def _search(self, posterior: Posterior, slack: int, most: int) -> int | None:
        question = posterior.question
        if not _has_exact_clues(posterior) or question.total < 0 or posterior.log_weight > math.log(most) + 1e-9:
            return None
        board = question.observation.topology.graph
        cell = kernels.choose_perfectly(self.ending, board, posterior.as_position(), question.total, slack)
        return cell if cell >= 0 else None

    def _search_part(self, posterior: Posterior, slack: int) -> int | None:
        if not _has_exact_clues(posterior):
            return None
        board = posterior.observation.topology.graph
        cell = kernels.choose_in_part(self.ending, board, posterior.as_position(), slack)
        return cell if cell >= 0 else None

    def _best(self, cell: int | None) -> Ending | None:
        return None if cell is None else next(ending for ending in self._endings() if ending.cell == cell)

    def _ranked(self, cell: int | None) -> list[Ending]:
        return [] if cell is None else sorted(self._endings(), key=lambda ending: -ending.wins)

    def _endings(self) -> list[Ending]:
        memory = self._memory
        pairs = zip(memory.unknown, memory.wins, strict=True)
        return [Ending(cell, won, memory.ending.n_layouts) for cell, won in pairs if won >= 0]


def _has_exact_clues(posterior: Posterior) -> bool:
    """Whether clues split the layouts as the search thinks: one that may be wrong or withheld does not."""
    return posterior.observation.channel.kind == "exact"


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
        raise TooHard(f"There are {comb(n_cells, mines):,} layouts, more than {most_layouts:,}; see --limit.", 0)
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
        raise TooHard(f"More than {most:,} layouts fit; see --limit.", 0)
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
