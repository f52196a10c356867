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

if TYPE_CHECKING:
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
        """The arrays, in the order in which the kernels take them."""
        return self._scratch

    def choose(self, posterior: Posterior) -> Ending | None:
        """Return the best cell of a position with exact clues in which nothing is safe; None where that is too much."""
        cell = self._run(posterior, 0)
        if cell is None:
            return None
        return next(ending for ending in self._endings() if ending.cell == cell)

    def rank(self, posterior: Posterior) -> list[Ending]:
        """Return every cell with its wins, the best first; slower than `choose`, and empty where that is too much."""
        # With so much slack no cell is given up before its wins are known.
        if self._run(posterior, self.most) is None:
            return []
        return sorted(self._endings(), key=lambda ending: -ending.wins)

    def _run(self, posterior: Posterior, slack: int) -> int | None:
        question = posterior.question
        observation = question.observation
        # A clue that may be wrong or withheld does not split the layouts as the search thinks.
        if question.total < 0 or observation.channel.kind != "exact":
            return None
        if posterior.log_weight > math.log(self.most) + 1e-9:
            return None
        board = observation.topology
        # Verdicts that can be written: the type for which compiled games have the kernel already.
        cell = choose_perfectly(
            observation.cells.ravel(), posterior.verdicts.ravel().copy(), board.table, board.degree, question.total,
            slack, *self._scratch,
        )  # fmt: skip
        return int(cell) if cell >= 0 else None

    def _endings(self) -> list[Ending]:
        unknown, wins, tally = self._scratch[0], self._scratch[11], self._scratch[12]
        n_layouts, n_unknown = int(tally[N_LAYOUTS]), int(tally[N_UNKNOWN])
        pairs = zip(unknown[:n_unknown].tolist(), wins[:n_unknown].tolist(), strict=True)
        return [Ending(cell, won, n_layouts) for cell, won in pairs if won >= 0]
