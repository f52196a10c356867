"""The player that aims at the chance to win: an opening book, close calls tried out, perfect endings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.agents.book import first_cell
from sapper.agents.exact.best_ahead import PerfectPlay
from sapper.agents.guessing import Guess
from sapper.inference.chances.trials import Trying
from sapper.words import percent

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts


class BestChance(PerfectPlay):
    """Perfect play, as far as it goes; where cells look alike a step ahead, what games played on with them win."""

    _trying: Trying | None = None

    def guess(self, facts: Facts) -> Guess:
        """Begin by the book, if the board is in it, else go on as before."""
        if not facts.clues:
            booked = first_cell(facts.observation)
            if booked is not None:
                p = None if facts.total is None else facts.total / facts.board.n_cells
                return Guess(booked, p, "nothing is certain; the opening book begins here")
        return super().guess(facts)

    def _look_ahead(self, posterior: Posterior) -> tuple[int, str]:
        board = posterior.observation.topology
        if self._trying is None or self._trying.board is not board:
            self._trying = Trying(board)
        tried = self._trying.choose(posterior)
        if tried.n_games == 0:
            return tried.cell, "looking a step ahead it is the best"
        return tried.cell, f"played on {tried.n_games} times it won {percent(tried.p_win, certain=False, places=1)}"
