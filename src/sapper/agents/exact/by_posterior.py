"""What the ways of guessing by the exact posterior have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from sapper.agents.guessing import DensityGuess, Guess
from sapper.words import percent

if TYPE_CHECKING:
    import numpy as np

    from sapper.agents.exact.certainty import Certainty
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts


class ByPosterior(ABC):
    """A way of guessing that looks at the posterior, and guesses roughly where that is too hard."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rng = rng
        self._rough = DensityGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Choose by the posterior, or roughly where it is too hard."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return too_hard(self._rough.guess(facts))
        return self._choose(facts, posterior)

    @abstractmethod
    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        """Choose an unknown cell; the posterior is that of the facts."""


def too_hard(guess: Guess) -> Guess:
    """Add to a rough guess why it is one."""
    return Guess(guess.cell, guess.p_mine, f"{guess.why} (the exact sum is too hard here)")


def write_risk(p: float) -> str:
    """Write a risk in percent; only what is certain is 0 or 100 %."""
    return percent(float(p), certain=p in (0.0, 1.0), places=1)
