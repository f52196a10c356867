"""A step ahead, for one observation after another: the memory of `kernels.lookahead`, grown when it has to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.workspace import NO_TABLES
from sapper.kernels.lookahead import FAILED, choose_by_lookahead

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.exact import Posterior
    from sapper.inference.workspace import Workspace
    from sapper.kernels.lookahead import Scratch


class Lookahead:
    """Scratch for boards of one size. Not for two threads at once."""

    def __init__(self, n_cells: int) -> None:
        self.trial = np.empty(n_cells, dtype=np.int8)
        # The same memory under a read-only name: another type to Numba, and the one that the engine is compiled for.
        self.tried = self.trial.view()
        self.tried.flags.writeable = False
        self.settled = np.empty(n_cells, dtype=np.int8)
        self.p_next = np.empty(n_cells)
        self.found = np.empty(n_cells + 16, dtype=np.int32)
        self.relief = np.empty(n_cells)
        self.scores: NDArray[np.float64] = np.empty(n_cells)

    def scratch(self) -> Scratch:
        """The arrays, in the order in which the kernels take them."""
        return (self.trial, self.tried, self.settled, self.p_next, self.found, self.relief, self.scores)

    def choose(self, posterior: Posterior, workspace: Workspace) -> int:
        """Return the number of the best cell of a position with exact clues in which nothing is safe.

        Afterwards ``scores`` holds what each candidate was worth. Raises `TooHard` past the workspace's budget.
        """
        question = posterior.question
        observation = question.observation
        board = observation.topology
        # Copies that can be written: the type for which compiled games have the kernel already.
        verdicts, p = posterior.verdicts.ravel().copy(), posterior.p_mine.ravel().copy()
        while True:
            cell = int(
                choose_by_lookahead(
                    observation.cells.ravel(), board.table, board.degree, board.cols, question.total, question.odds,
                    question.trust_flags, question.soft, NO_TABLES, verdicts, p, posterior.log_weight, self.trial,
                    self.tried, self.settled, self.p_next, workspace.ints, workspace.longs, workspace.floats,
                    self.found, self.relief, self.scores,
                )
            )  # fmt: skip
            if cell >= 0:
                return cell
            workspace.grow(FAILED - cell)
