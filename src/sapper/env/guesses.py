"""Which openings are guesses: those that nothing proves safe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import SAFE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sapper.env.task import Task


class Judge:
    """Asks the exact engine about openings under the rules of a task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def is_guess(self, cells: NDArray[np.int8], action: int, is_first: bool) -> bool:
        """Whether opening this cell is a guess; flags are none, nor is asking an open cell again.

        The first cell is one only if the rules promise nothing of it. A position too hard to sum proves nothing.
        """
        if action >= self._task.rules.n_cells or cells.ravel()[action] != -1:
            return False
        if is_first and self._task.rules.first_click != "any":
            return False
        try:
            verdicts = mine_probabilities(self._task.observation(cells)).verdicts
        except TooHard:
            return True
        return bool(verdicts.ravel()[action] != SAFE)
