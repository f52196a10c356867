"""What an agent that sums knows of a position: the posterior that its reasoning and its guessing share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import TooHard
from sapper.inference.posterior.complete import deduce_complete
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.contradiction import deduce_contradictions
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_subsets_and_total
from sapper.observation import Observation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.reasoning.deduction import Deduction
    from sapper.knowledge.facts import Facts


class Certainty:
    """The exact posterior of the position at hand, computed once; as a way of reasoning, everything that follows.

    Where the sum is too hard it says so with None, and reasons by what is cheap: single clues, subsets with the total,
    and assumptions refuted. All of that is sound; it may miss something.
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
