"""Cells that tell the most: what could be worked out from them, or how many bits they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.exact.by_posterior import ByPosterior, write_risk
from sapper.agents.guessing import Guess
from sapper.errors import TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import EXPLODED, NO_CLUE, Observation

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts


class MostWorkedOut(ByPosterior):
    """Report variant min-risk: the cell that maximises q R + (1 - q) S.

    q is its chance of a mine; R and S are how many cells could be worked out if it were a mine, or clear. Two sums for
    every cell on the frontier and one of the others, which are all alike.
    """

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        p = posterior.p_mine.ravel()
        worth = {cell: self._worth(posterior, cell, float(p[cell])) for cell in distinct_cells(facts)}
        most = max((value, -p[cell]) for cell, value in worth.items())
        # Equal to a person, whatever the last bits are.
        choices = [cell for cell, value in worth.items() if value >= most[0] - 1e-9 and -p[cell] >= most[1] - 1e-9]
        cell = choices[int(self._rng.integers(len(choices)))]
        return Guess(
            cell,
            float(p[cell]),
            f"nothing is certain; it works out {worth[cell]:.2f} cells on average, at a risk of {write_risk(p[cell])}",
        )

    def _worth(self, posterior: Posterior, cell: int, q: float) -> float:
        if not 0.0 < q < 1.0:
            return 0.0
        observation = posterior.observation
        n_known = len(posterior.safe) + len(posterior.mines)
        counts = []
        for code in (EXPLODED, NO_CLUE):
            cells = observation.cells.copy()
            cells.flat[cell] = code
            try:
                found = mine_probabilities(
                    Observation(observation.topology, cells, observation.total, observation.channel)
                )
                counts.append(len(found.safe) + len(found.mines) - n_known)
            except TooHard:
                counts.append(0)
        if_mine, if_clear = counts
        return q * if_mine + (1.0 - q) * if_clear


class MostInformation(ByPosterior):
    """The cell whose opening tells the most: the largest entropy of what it may show.

    Some nine sums for every cell on the frontier and one of the others. A mine tells something too, but ends a classic
    game, so this is a player for surveys.
    """

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        bits = {}
        for cell in distinct_cells(facts):
            row, col = divmod(cell, facts.board.cols)
            chances = np.append(posterior.p_clue(row, col), posterior.p_mine[row, col])
            chances = chances[chances > 0]
            bits[cell] = round(float(-(chances * np.log2(chances)).sum()), 9)
        cell = max(bits, key=lambda one: (bits[one], -one))
        p = float(posterior.p_mine.flat[cell])
        return Guess(
            cell, p, f"nothing is certain; it tells the most, {bits[cell]:.2f} bits, at a risk of {write_risk(p)}"
        )


def distinct_cells(facts: Facts) -> list[int]:
    """The unknown cells on the frontier, and of those that no clue touches one for each number of neighbours."""
    frontier: list[int] = []
    others: dict[tuple[int, int], int] = {}
    unknown = facts.observation.closed.ravel()
    for cell in np.flatnonzero(unknown).tolist():
        if not facts.unknown >> cell & 1:
            continue
        if any(other in facts.clues for other in facts.neighbours[cell]):
            frontier.append(cell)
        else:
            hidden_around = sum(bool(unknown[other]) for other in facts.neighbours[cell])
            others.setdefault((len(facts.neighbours[cell]), hidden_around), cell)
    return sorted([*frontier, *others.values()])
