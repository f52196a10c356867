"""Perfect play over few layouts, nearly perfect play over more: asks `kernels.choose_perfectly`.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> end = Endgame(6)
>>> end.choose(mine_probabilities(Observation.parse("1##/### 2")))
Ending(cell=1, wins=2, layouts=6)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper import kernels
from sapper.inference.chances.lookahead import as_position
from sapper.interrupts import note_stoppable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior

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
        cell = kernels.choose_perfectly(self.ending, board, as_position(posterior), question.total, slack)
        return cell if cell >= 0 else None

    def _search_part(self, posterior: Posterior, slack: int) -> int | None:
        if not _has_exact_clues(posterior):
            return None
        board = posterior.observation.topology.graph
        cell = kernels.choose_in_part(self.ending, board, as_position(posterior), slack)
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
