"""Chances to win by playing on, for one position after another: asks `kernels.roll_out`.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> either = mine_probabilities(Observation.parse("1#/1# 1"))
>>> Rollouts(4).values(either, [1], 3, np.random.default_rng(0))
array([[0.5, 0.5, 0.5]])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.inference.chances.endgame import Endgame
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace
from sapper.kernels.codes import OK
from sapper.observation import FLAG, HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.observation import Observation

# From so many layouts on perfect play says how a game ends: as quick as playing on, and free of luck.
FINAL = 60
EXCHANGES = 6  # sets of random numbers for each game; a game that steps on more mines uses them again


class Rollouts:
    """Memory for boards of one size. Not for two threads at once.

    Games go on by least risk, or by looking ahead as `expert` does, which takes ten times as long.
    """

    def __init__(
        self, n_cells: int, budget: Budget | None = None, final: int = FINAL, *, expertly: bool = False
    ) -> None:
        self._expertly = expertly
        self.workspace = Workspace(n_cells, False, budget or USUAL_BUDGET)
        self._cells = np.zeros(n_cells, dtype=np.int8)
        self._position = kernels.Position(self._cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
        self.ending = Endgame(n_cells, final).ending

    def values(
        self, posterior: Posterior, cells: Sequence[int], n_games: int, rng: np.random.Generator, cascade: bool = True
    ) -> NDArray[np.float64]:
        """Return what opening each cell was worth in each game: rows by cell, columns by layout, the same for all.

        The mean of a row is the chance to win by opening that cell and going on, perfectly where few layouts are left.
        For positions with exact clues and a known total, and cells that may be clear. Raises
        `TooHard` past the budget.
        """
        layouts = posterior.sample(n_games, rng).reshape(n_games, -1)
        uniform = self.numbers(n_games, rng)
        rows = [
            (1.0 - posterior.p_mine.flat[cell]) * self.play(posterior.observation, cell, layouts, uniform, cascade)
            for cell in cells
        ]
        return np.array(rows)

    def numbers(self, n_games: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the random numbers for so many games."""
        return rng.random((n_games, EXCHANGES, 3 * len(self._cells) + 8))

    def play(
        self,
        position: Observation,
        cell: int,
        layouts: NDArray[np.bool_],
        uniform: NDArray[np.float64],
        cascade: bool = True,
    ) -> NDArray[np.float64]:
        """Return what games that go on with a cell are worth, one for each layout, the risk of that cell not counted.

        ``layouts`` fit the position, a row each; ``uniform`` are random numbers, `EXCHANGES` sets of 3 n + 8 for each.
        """
        assert position.total is not None
        board, asked = position.topology.graph, kernels.Question(position.total)
        player = kernels.Player(self.workspace, board, asked, self._position, self.ending)
        start = position.cells.ravel().copy()
        start[start == FLAG] = HIDDEN
        values = np.zeros(len(layouts))
        rollout = kernels.Rollout(start, layouts, uniform, values, self._cells, cascade, self._expertly)
        while True:
            status = kernels.roll_out(player, rollout, cell)
            if status == OK:
                return values
            self.workspace.grow(status)
