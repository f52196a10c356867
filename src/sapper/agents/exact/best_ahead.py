"""Looking ahead: the best chance to go on, and perfect play, or nearly so, once few layouts are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.agents.exact.by_posterior import too_hard, write_risk
from sapper.agents.exact.least_risk import LeastRisk
from sapper.agents.guessing import Guess
from sapper.errors import TooHard
from sapper.inference.chances.endgame import EXPERT, MASTER, Endgame, Reach
from sapper.inference.chances.lookahead import Lookahead
from sapper.inference.chances.optimal import perfect_start
from sapper.inference.posterior.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np

    from sapper.agents.exact.certainty import Certainty
    from sapper.inference.chances.endgame import Ending
    from sapper.inference.posterior.exact import Posterior
    from sapper.knowledge.facts import Facts


class BestAhead:
    """The cell that leaves the best chance to go on: every clue it may show is followed one step ahead.

    Some hundred sums. Where few layouts are left, perfect play over them, or nearly so, as far as that reaches; perfect
    play, too, in a part of the board that is cut off from the rest. Clues that may be wrong are not followed; there it
    is the cell of least risk.
    """

    def __init__(self, certainty: Certainty, rng: np.random.Generator, reach: Reach = EXPERT) -> None:
        self._certainty = certainty
        self._least_risk = LeastRisk(certainty, rng)
        self._reach = reach
        self._memory: tuple[int, Lookahead, Workspace, Endgame] | None = None

    def guess(self, facts: Facts) -> Guess:
        """Choose by looking ahead, or by the risk alone where that is out of reach."""
        posterior = self._certainty.look(facts)
        # On a blank board there is nothing to tell the cells apart but where they lie.
        if posterior is None or posterior.question.soft or not facts.clues:
            return self._least_risk.guess(facts)
        endgame = self._remember(facts.board.n_cells)[2]
        ending = endgame.choose(posterior)
        if ending is not None:
            p = float(posterior.p_mine.flat[ending.cell])
            won = why_perfect(ending, endgame.is_perfect(ending))
            return Guess(ending.cell, p, f"nothing is certain; {won}, at a risk of {write_risk(p)}")
        ending = endgame.choose_in_part(posterior)
        if ending is not None:
            p = float(posterior.p_mine.flat[ending.cell])
            return Guess(ending.cell, p, f"nothing is certain; {why_in_part(ending)}, at a risk of {write_risk(p)}")
        try:
            cell, why = self._look_ahead(posterior)
        except TooHard:
            return too_hard(self._least_risk.guess(facts))
        p = float(posterior.p_mine.flat[cell])
        return Guess(cell, p, f"nothing is certain; {why}, at a risk of {write_risk(p)}")

    def _look_ahead(self, posterior: Posterior) -> tuple[int, str]:
        """Return the best cell and why it is the best; raises `TooHard`."""
        lookahead, workspace, _ = self._remember(posterior.p_mine.size)
        return lookahead.choose(posterior, workspace), "looking a step ahead it is the best"

    def _remember(self, n_cells: int) -> tuple[Lookahead, Workspace, Endgame]:
        if self._memory is None or self._memory[0] != n_cells:
            workspace = Workspace(n_cells, False)
            self._memory = n_cells, Lookahead(n_cells), workspace, Endgame(n_cells, *self._reach)
        return self._memory[1:]


class PerfectPlay(BestAhead):
    """Perfect play, or nearly so, as far as `MASTER` reaches, and on small boards from the first cell on."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        super().__init__(certainty, rng, MASTER)

    def guess(self, facts: Facts) -> Guess:
        """Choose the best first cell of a small board, else as before."""
        is_blank = not (facts.observation.cells >= 0).any() and facts.observation.closed.all()
        if is_blank and facts.observation.channel.kind == "exact":
            cell = perfect_start(facts.board, facts.total)
            if cell is not None:
                assert facts.total is not None
                return Guess(cell, facts.total / facts.board.n_cells, "nothing is certain; perfect play begins here")
        return super().guess(facts)


def why_perfect(ending: Ending, perfect: bool) -> str:
    """Say what a cell wins of all layouts that are left."""
    if perfect:
        return f"perfect play wins {ending.wins:,} of the {ending.layouts:,} layouts that are left"
    return f"nearly perfect play wins at least {ending.wins:,} of the {ending.layouts:,} layouts that are left"


def why_in_part(ending: Ending) -> str:
    """Say why a part is played at once that has nothing to do with the rest."""
    return (
        "this part of the board is cut off and nothing will tell more about it; perfect play wins "
        f"{ending.wins} of its {ending.layouts} layouts"
    )
