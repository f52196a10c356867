"""Swaps that nothing ever sees: mines and clear cells that may change places, and every clue stays as it is.

Some cells always go together with a cell, and some are always its opposite: whoever knows one of them knows them all.
Turn all of them over in a layout that fits. If each side has as many cells as the other, the total stays; if every
other cell that may ever be opened touches as many of the one side as of the other, no clue changes. So the layout that
results fits too, whatever else is opened, and nobody will know before one of these cells is opened by a guess.

Two sums; then a look at the neighbours of the cells that were found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import EXPLODED, NO_CLUE, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.posterior.workspace import Budget
    from sapper.topology import Topology


def supposing(observation: Observation, cell: int, is_mine: bool) -> Observation:
    """The same position, were it known that a hidden cell is a mine, or that it is clear, and not what it shows."""
    cells = observation.cells.ravel().copy()
    cells[cell] = EXPLODED if is_mine else NO_CLUE
    return Observation.of_game(observation.topology, cells, observation.total, observation.channel)


def find_swap(posterior: Posterior, cell: int, budget: Budget) -> tuple[int, ...]:
    """Return the cells that can be swapped together with an unsure one, unseen for ever; none if there are none.

    They are ascending, with the cell itself. Raises `TooHard` past the budget.
    """
    observation = posterior.observation
    if_mine, if_clear = (
        mine_probabilities(supposing(observation, cell, is_mine), budget=budget).verdicts.ravel()
        for is_mine in (True, False)
    )
    alike = (if_mine == MINE) & (if_clear == SAFE)
    alike[cell] = True
    opposite = (if_mine == SAFE) & (if_clear == MINE)
    if np.count_nonzero(alike) != np.count_nonzero(opposite):
        return ()
    sides = alike.astype(np.int8) - opposite.astype(np.int8)
    if _is_seen(observation.topology, sides, posterior.verdicts.ravel() == MINE):
        return ()
    return tuple(np.flatnonzero(sides).tolist())


def _is_seen(board: Topology, sides: NDArray[np.int8], mines: NDArray[np.bool_]) -> bool:
    """Whether a cell of neither side, and no certain mine, touches more of one side than of the other."""
    lean: dict[int, int] = {}
    for member in np.flatnonzero(sides).tolist():
        for other in board.neighbours_of(member):
            lean[other] = lean.get(other, 0) + int(sides[member])
    return any(by and not sides[other] and not mines[other] for other, by in lean.items())
