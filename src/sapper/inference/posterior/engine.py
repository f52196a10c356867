"""The exact engine for a game in progress: it remembers what it summed, and sums again only what changed.

>>> from sapper.observation import Observation
>>> engine = Engine()
>>> start = Observation.parse("1###/####/####/###1 4")
>>> round(float(engine.posterior(start).p_mine[0, 1]), 4), engine.n_summed
(0.3333, 0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.inference.posterior.exact import Posterior, Question, answer
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace
from sapper.observation import Observation, check_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from sapper.topology import Topology


class Engine:
    """Answers about position after position of one board; any position may follow any other.

    A component that some earlier position had too, clue for clue, is not summed again; small ones are listed anew,
    which costs less than looking them up. The answers are those of `mine_probabilities`, to the last bit. Soft clues
    are always summed afresh. Not for two threads at once.
    """

    def __init__(self, *, density: float = 0.5, trust_flags: bool = False, budget: Budget | None = None) -> None:
        self.density = density
        self.trust_flags = trust_flags
        self.budget = budget or USUAL_BUDGET
        self._board: tuple[Topology, int | None, bool] | None = None
        self._workspace: Workspace | None = None
        self._position: Observation | None = None

    def posterior(self, position: Observation | str | ArrayLike) -> Posterior:
        """Return the posterior of a position, in any form that `mine_probabilities` takes."""
        observation = Observation.of(position)
        question = Question(observation, self.density, self.trust_flags, self.budget)
        found = answer(question, self._workspace_for(question))
        self._position = observation
        return found

    def open(self, shown: Mapping[tuple[int, int], int]) -> Posterior:
        """Return the posterior after more cells of the last position showed these clues."""
        if self._position is None:
            raise InputError("Ask for the posterior of a position first; it goes on from there.")
        last = self._position
        cells = last.cells.copy()
        for (row, col), clue in shown.items():
            cells.flat[last.topology.index(row, col)] = check_code(row, col, clue)
        return self.posterior(Observation(last.topology, cells, last.total, last.channel))

    @property
    def n_summed(self) -> int:
        """Components summed so far on this board; those that are only listed do not count."""
        return self._workspace.n_summed if self._workspace else 0

    @property
    def n_reused(self) -> int:
        """Components that did not have to be summed again."""
        return self._workspace.n_reused if self._workspace else 0

    def _workspace_for(self, question: Question) -> Workspace:
        observation = question.observation
        # What was summed holds for one board and one way of weighing mines.
        board = (observation.topology, observation.total, question.soft)
        if self._workspace is None or board != self._board:
            self._workspace = Workspace(observation.topology.n_cells, question.soft, self.budget, remembers=True)
            self._board = board
        return self._workspace
