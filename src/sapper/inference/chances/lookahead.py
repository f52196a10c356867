"""A step ahead, for one observation after another: asks `kernels.choose_by_lookahead`, with more memory when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.posterior.workspace import Workspace


class Lookahead:
    """What cells are worth a step ahead, on boards of one size. Not for two threads at once."""

    def __init__(self, n_cells: int) -> None:
        self.scores: NDArray[np.float64] = np.empty(n_cells)
        self.relief: NDArray[np.float64] = np.empty(n_cells)

    def choose(self, posterior: Posterior, workspace: Workspace) -> int:
        """Return the number of the best cell of a position with exact clues in which nothing is safe.

        Afterwards ``scores`` holds what each candidate was worth, and NaN for other cells; ``relief`` is what the
        guesses that a cell settles would leave of the chance to win. Raises `TooHard` past the workspace's budget.
        """
        board = posterior.observation.topology.graph
        player = kernels.Player(
            workspace, board, posterior.question.for_kernels(), as_position(posterior), None, self.scores, self.relief
        )
        player.log_now = posterior.log_weight
        while True:
            self.scores.fill(np.nan)
            cell = kernels.choose_by_lookahead(player)
            if cell >= 0:
                return cell
            workspace.grow(player.status)


def as_position(posterior: Posterior) -> kernels.Position:
    """Return what is seen and known, as the kernels take it: a copy, since kernels may write there."""
    cells = posterior.observation.cells.ravel()
    return kernels.Position(cells, posterior.verdicts.ravel().copy(), posterior.p_mine.ravel().copy())
