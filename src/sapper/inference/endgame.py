"""Perfect play over few layouts, for one observation after another: the memory of `kernels.endgame`.

>>> from sapper.inference.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> end = Endgame(6)
>>> end.choose(mine_probabilities(Observation.parse("1##/### 2")))
Ending(cell=1, wins=2, layouts=6)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from sapper.kernels.endgame import N_LAYOUTS, N_UNKNOWN, choose_perfectly, make_scratch
from sapper.kernels.parts import choose_in_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.inference.exact import Posterior
    from sapper.kernels.endgame import Scratch

FEW = 300  # layouts: about a millisecond
MANY = 2000  # a tenth of a second, and seconds now and then


STATES_PER_LAYOUT = 64  # remembered at most; what needs more is left to others


class Ending(NamedTuple):
    """The best cell where few layouts are left, and how many of them perfect play wins with it."""

    cell: int
    wins: int
    layouts: int


class Endgame:
    """Scratch for boards of one size. Not for two threads at once."""

    def __init__(self, n_cells: int, most: int = FEW) -> None:
        self.most = most
        n_keys = 1 << (2 * STATES_PER_LAYOUT * most - 1).bit_length()
        self._scratch = make_scratch(n_cells, most, n_keys)

    def scratch(self) -> Scratch:
        """The memory, as the kernels take it."""
        return self._scratch

    def choose(self, posterior: Posterior) -> Ending | None:
        """Return the best cell of a position with exact clues in which nothing is safe; None where that is too much."""
        return self._ending(self._run(posterior, 0))

    def choose_in_part(self, posterior: Posterior) -> Ending | None:
        """Return the best cell of a part that is cut off from the rest of the board; None if there is none.

        Wins and layouts are those of the part. Nothing may be safe.
        """
        return self._ending(self._call(choose_in_part, posterior, 0))

    def rank(self, posterior: Posterior) -> list[Ending]:
        """Return every cell with its wins, the best first; slower than `choose`, and empty where that is too much."""
        # With so much slack no cell is given up before its wins are known.
        return self._ranked(self._run(posterior, self.most))

    def rank_in_part(self, posterior: Posterior) -> list[Ending]:
        """Return the cells of a part that is cut off from the rest, the best first; empty if there is none."""
        return self._ranked(self._call(choose_in_part, posterior, self.most))

    def _run(self, posterior: Posterior, slack: int) -> int | None:
        total = posterior.question.total
        if total < 0 or posterior.log_weight > math.log(self.most) + 1e-9:
            return None
        return self._call(choose_perfectly, posterior, total, slack)

    def _call(self, kernel: Callable[..., int], posterior: Posterior, *settings: int) -> int | None:
        observation = posterior.question.observation
        # A clue that may be wrong or withheld does not split the layouts as the search thinks.
        if observation.channel.kind != "exact":
            return None
        board = observation.topology
        # Verdicts that can be written: the type for which compiled games have the kernel already.
        verdicts = posterior.verdicts.ravel().copy()
        cell = kernel(observation.cells.ravel(), verdicts, board.table, board.degree, *settings, self._scratch)
        return int(cell) if cell >= 0 else None

    def _ending(self, cell: int | None) -> Ending | None:
        return None if cell is None else next(ending for ending in self._endings() if ending.cell == cell)

    def _ranked(self, cell: int | None) -> list[Ending]:
        return [] if cell is None else sorted(self._endings(), key=lambda ending: -ending.wins)

    def _endings(self) -> list[Ending]:
        scratch = self._scratch
        n_layouts, n_unknown = int(scratch.tally[N_LAYOUTS]), int(scratch.tally[N_UNKNOWN])
        pairs = zip(scratch.unknown[:n_unknown].tolist(), scratch.wins[:n_unknown].tolist(), strict=True)
        return [Ending(cell, won, n_layouts) for cell, won in pairs if won >= 0]
