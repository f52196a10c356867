"""Agents that sum exactly: what they deduce, and how they guess by the posterior.

`Certainty` is the posterior that reasoning and guessing share. `PolicyGuess` is how `exact`, `expert`, `optimal` and
`master` guess; the others are variants of the reports.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np

from sapper.agents.guessing import DensityGuess, Guess
from sapper.agents.sentences import why_open, write_risk
from sapper.errors import TooHard
from sapper.inference.evaluation.choice import Choice
from sapper.inference.evaluation.decision import POLICIES, Decider, least_of, least_risk
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.reasoning.contradiction import deduce_contradictions
from sapper.inference.reasoning.single import COMPLETE, SINGLE, Deduction, deduce, deduce_single, read_clue
from sapper.inference.reasoning.subsets import deduce_subsets_and_total
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import Observation
from sapper.words import count


def deduce_complete(facts: Facts, posterior: Posterior) -> list[Deduction]:
    """Add what a posterior of the same position settles to the facts: mines first, each kind row by row.

    Where a single clue is enough, it is the reason. For the rest no clues are named: `explain` finds them for one cell,
    which for every cell would cost far more than the sum.
    """
    verdicts = posterior.verdicts.ravel()
    found: list[Deduction] = []
    for verdict, is_mine, reason in (
        (MINE, True, "it is a mine in every layout that fits"),
        (SAFE, False, "it is safe in every layout that fits"),
    ):
        new = [cell for cell in np.flatnonzero(verdicts == verdict).tolist() if facts.unknown >> cell & 1]
        clues = {other for cell in new for other in facts.neighbours[cell] if other in facts.clues}
        by_clue: dict[int, tuple[int, str]] = {}
        for clue in sorted(clues):
            said = read_clue(facts, clue)
            if said is not None and said[1] is is_mine:
                by_clue |= dict.fromkeys(said[0], (clue, said[2]))
        for cell in new:
            if cell in by_clue:
                clue, why = by_clue[cell]
                found += deduce(facts, [cell], is_mine, SINGLE, (clue,), why)
            else:
                found += deduce(facts, [cell], is_mine, COMPLETE, (), reason)
    return found


class Certainty:
    """The exact posterior of the current position, computed once; as a way of reasoning, everything that follows.

    Where the sum is too hard, the posterior is None and cheaper reasoning is used: single clues, subsets with the
    total, and refuted assumptions. It is sound, but may miss something.
    """

    def __init__(self, ignores_total: bool = False) -> None:
        self._ignores_total = ignores_total
        self._seen: Observation | None = None
        self._posterior: Posterior | None = None

    def look(self, facts: Facts) -> Posterior | None:
        """Return the posterior, or None if it is too hard."""
        observation = facts.observation
        if observation is not self._seen:
            self._seen = observation
            try:
                self._posterior = mine_probabilities(self._asked(observation))
            except TooHard:
                self._posterior = None
        return self._posterior

    def _asked(self, observation: Observation) -> Observation:
        if not self._ignores_total or observation.total is None:
            return observation
        return Observation(observation.topology, observation.cells, None, observation.channel)

    def __call__(self, facts: Facts, clues: Iterable[int]) -> list[Deduction]:
        """Deduce everything that follows, unless something safe is waiting to be opened."""
        if facts.safe:
            return []
        posterior = self.look(facts)
        if posterior is not None:
            return deduce_complete(facts, posterior)
        return (
            deduce_single(facts, clues) + deduce_subsets_and_total(facts, clues) + deduce_contradictions(facts, clues)
        )


class ByPosterior(ABC):
    """Guesses by the posterior, or by a rough estimate where that is too hard."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rng = rng
        self._rough = DensityGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Choose by the posterior, or by a rough estimate where it is too hard."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return too_hard(self._rough.guess(facts))
        return self._choose(facts, posterior)

    @abstractmethod
    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        """Choose an unknown cell; the posterior is that of the facts."""


def too_hard(guess: Guess) -> Guess:
    """Say that a guess is a rough one, and why."""
    return Guess(guess.cell, guess.p_mine, f"{guess.why} (the exact sum is too hard here)")


class MostWorkedOut(ByPosterior):
    """Report variant min-risk: the cell that maximises q R + (1 - q) S.

    q is its mine probability; R and S are how many cells could be worked out if it were a mine, or safe. Two sums for
    every cell on the frontier and one of the others, which are all alike.
    """

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        p = posterior.p_mine.ravel()
        worth = {cell: self._worth(posterior, cell, float(p[cell])) for cell in distinct_cells(facts)}
        most = max((value, -p[cell]) for cell, value in worth.items())
        # Ties, apart from the last bits.
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
        for assumed in (observation.assuming(mines=[cell]), observation.assuming(safe=[cell])):
            try:
                found = mine_probabilities(assumed)
                counts.append(len(found.safe) + len(found.mines) - n_known)
            except TooHard:
                counts.append(0)
        if_mine, if_safe = counts
        return q * if_mine + (1.0 - q) * if_safe


class MostInformation(ByPosterior):
    """The most informative cell: the largest entropy of what it may show.

    About nine sums for every cell on the frontier and one of the others. A mine is informative too, but ends a classic
    game, so this is an agent for surveys.
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
            cell,
            p,
            f"nothing is certain; it is the most informative, {bits[cell]:.2f} bits, at a risk of {write_risk(p)}",
        )


def distinct_cells(facts: Facts) -> list[int]:
    """Return the unknown cells on the frontier, and one of the others for each number of neighbours."""
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


class PolicyGuess(ByPosterior):
    """Guesses by the policy of an agent, or by the safest cell where that takes too much."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator, policy: str = "exact") -> None:
        super().__init__(certainty, rng)
        self._policy = POLICIES[policy]
        self._decider: Decider | None = None

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        if self._decider is None or self._decider.board is not facts.board:
            self._decider = Decider(facts.board, self._policy)
        try:
            return _as_guess(self._decider.decide(posterior), posterior)
        except TooHard:
            return too_hard(_as_guess(least_risk(posterior), posterior))


def _as_guess(choice: Choice, posterior: Posterior) -> Guess:
    return Guess(choice.cell, choice.p_mine, f"nothing is certain; {why_open(choice, least_of(posterior))}")


class LeastCost(ByPosterior):
    """The cell of least risk, any of several at random: min-cost."""

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        safest = posterior.safest
        row, col = safest[int(self._rng.integers(len(safest)))]
        p = float(posterior.p_mine[row, col])
        one_of = f", as of {count(len(safest) - 1, 'other')}" if len(safest) > 1 else ""
        return Guess(row * facts.board.cols + col, p, f"nothing is certain; the least risk is {write_risk(p)}{one_of}")
