"""The least exact risk: two ways to choose among the cells that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper import kernels
from sapper.agents.exact.by_posterior import ByPosterior, write_risk
from sapper.agents.guessing import Guess

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts


class LeastRisk(ByPosterior):
    """The cell of least exact risk, or one a hair riskier that is likelier to tell something."""

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        p = posterior.p_mine.ravel()
        cell = kernels.choose_least_risk(facts.board.graph, facts.observation.cells.ravel(), p)
        return Guess(cell, float(p[cell]), f"nothing is certain; the least risk is {write_risk(p[cell])}")


class LeastCost(ByPosterior):
    """The cell of least risk, any of several at random: min-cost."""

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        best = posterior.best
        row, col = best[int(self._rng.integers(len(best)))]
        p = float(posterior.p_mine[row, col])
        one_of = f", as of {len(best) - 1} others" if len(best) > 1 else ""
        return Guess(row * facts.board.cols + col, p, f"nothing is certain; the least risk is {write_risk(p)}{one_of}")
