"""Perfect play over few layouts, for one observation after another: the memory of `kernels.endgame`.

>>> from sapper.inference.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> end = Endgame(9)
>>> end.choose(mine_probabilities(Observation.parse("1##/### 2")))
Ending(cell=2, wins=3, layouts=6)
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
        question = posterior.question
        if question.total < 0 or question.soft or posterior.log_weight > math.log(self.most) + 1e-9:
            return None
        observation = question.observation
        board = observation.topology
        # Verdicts that can be written: the type for which compiled games have the kernel already.
        cell = int(
            choose_perfectly(
                observation.cells.ravel(), posterior.verdicts.ravel().copy(), board.table, board.degree, question.total,
                0, *self._scratch,
            )
        )  # fmt: skip
        if cell < 0:
            return None
        unknown, wins, tally = self._scratch[0], self._scratch[11], self._scratch[12]
        column = unknown[: tally[N_UNKNOWN]].tolist().index(cell)
        return Ending(cell, int(wins[column]), int(tally[N_LAYOUTS]))
