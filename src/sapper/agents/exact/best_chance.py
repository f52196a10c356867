"""The player that aims at the chance to win: an opening book, games played on, perfect endings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.agents.book import first_cell
from sapper.agents.exact.best_ahead import PerfectPlay, why_in_part
from sapper.agents.exact.by_posterior import write_risk
from sapper.agents.guessing import Guess
from sapper.errors import TooHard
from sapper.inference.chances.race import Effort
from sapper.inference.chances.ranking import Chances
from sapper.words import percent

if TYPE_CHECKING:
    import numpy as np

    from sapper.agents.exact.certainty import Certainty
    from sapper.inference.chances.ranking import Chance
    from sapper.knowledge.facts import Facts


class BestChance:
    """The cell with the best chance to win, as far as games played on from the position can tell."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator, effort: Effort | None = None) -> None:
        self._certainty = certainty
        self._rng = rng
        self._effort = effort or Effort()
        self._plainly = PerfectPlay(certainty, rng)
        self._memory: tuple[int, Chances] | None = None

    def guess(self, facts: Facts) -> Guess:
        """Choose by the book, by perfect play or by games; a step ahead where none of these can be had."""
        if not facts.clues:
            booked = first_cell(facts.observation)
            if booked is not None:
                p = None if facts.total is None else facts.total / facts.board.n_cells
                return Guess(booked, p, "nothing is certain; the opening book begins here")
            return self._plainly.guess(facts)
        try:
            best = self.rank(facts)[0]
        except (TooHard, LookupError):
            return self._plainly.guess(facts)
        return Guess(best.cell, best.risk, f"nothing is certain; {_why(best)}, at a risk of {write_risk(best.risk)}")

    def rank(self, facts: Facts) -> list[Chance]:
        """Return the promising cells, the best first; raises `LookupError` where there is nothing to sum."""
        posterior = self._certainty.look(facts)
        # Games are played on with clues that tell the truth.
        if posterior is None or facts.observation.channel.kind != "exact":
            raise LookupError
        n_cells = facts.board.n_cells
        if self._memory is None or self._memory[0] != n_cells:
            self._memory = n_cells, Chances(n_cells)
        return self._memory[1].rank(posterior, self._effort, self._rng)


def _why(best: Chance) -> str:
    if best.part is not None:
        return why_in_part(best.part)
    if best.p_win is None:
        return "looking a step ahead it is the best"
    if best.n_games == 0:
        return f"perfect play wins {percent(best.p_win, certain=best.p_win == 1.0, places=1)} of what is possible"
    return f"played on {best.n_games} times it won {percent(best.p_win, certain=False, places=1)}"
