"""The chance to win with each promising cell, and the best of them.

Few layouts left: perfect play, exactly. A part of the board that is cut off from the rest: perfect play in it, and at
once, since nothing will ever tell more about it. Otherwise games are played on from the position over layouts drawn
with their exact chance (`rollouts`), first a few with many cells, then more with those that may still be the best. What
the games say is weighed against what a step ahead says (`lookahead`): few games change little. All cells are compared
over the same layouts, so the difference of two is known better than either chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import OutOfTime
from sapper.inference.chances.endgame import MANY, Endgame, Ending
from sapper.inference.chances.lookahead import Lookahead
from sapper.inference.chances.race import MOST_CELLS_PLAYED, Clock, Effort, Race, round_of, time_for
from sapper.inference.chances.rollouts import Rollouts
from sapper.inference.posterior.workspace import Workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior

N_SAFEST = 2  # cells that are looked at only because they are safe
N_SCORED = 6  # cells that look best a step ahead
# How far a step ahead is off, as a standard deviation of the chance to win: found by many games with each cell, see
# docs/strength.md. While little is open it is hardly ever off, and games are long: they are played only if there is
# time to spend.
DOUBT, EARLY_DOUBT = 0.03, 0.01
NOT_SCORED = -0.03  # what is thought of a cell that was not looked at a step ahead, beside the best
EARLY = 0.1  # less than this share of the board is open
FEWEST_GAMES = 8  # to say how far their mean may be off


@dataclass(frozen=True, slots=True)
class Chance:
    """What is known of a cell: its risk and the chance to win by opening it."""

    cell: int
    risk: float
    p_win: float | None  # None: not looked into
    error: float  # standard error; 0 if exact
    n_games: int
    part: Ending | None = None  # what perfect play wins in its part of the board, if that is cut off from the rest


class Chances:
    """Memory for boards of one size. Not for two threads at once."""

    def __init__(self, n_cells: int, most: int = MANY) -> None:
        self._lookahead = Lookahead(n_cells)
        self._workspace = Workspace(n_cells, False)
        self._endgame = Endgame(n_cells, most)
        self._rollouts = Rollouts(n_cells)

    def rank(
        self, posterior: Posterior, effort: Effort, rng: np.random.Generator, cascade: bool = True
    ) -> list[Chance]:
        """Return the promising cells of a position in which nothing is safe, the best first; raises `TooHard`.

        With seconds to spend, that time is kept: what was found until then is the answer.
        """
        limited = (self._workspace, self._endgame.ending, self._rollouts.workspace, self._rollouts.ending)
        with time_for(effort, *limited) as clock:
            return self._rank_endings(posterior) or self._rank_by_games(posterior, effort, clock, rng, cascade)

    def _rank_endings(self, posterior: Posterior) -> list[Chance]:
        """The cells by perfect play, over all layouts or in a part of the board; none where that is too much."""
        p = posterior.p_mine.ravel()
        endings = self._endgame.rank(posterior)
        if endings:
            return [Chance(end.cell, float(p[end.cell]), end.wins / end.layouts, 0.0, 0) for end in endings]
        in_part = self._endgame.rank_in_part(posterior)
        return [Chance(end.cell, float(p[end.cell]), None, 0.0, 0, end) for end in in_part]

    def _rank_by_games(
        self, posterior: Posterior, effort: Effort, clock: Clock, rng: np.random.Generator, cascade: bool
    ) -> list[Chance]:
        p = posterior.p_mine.ravel()
        try:
            best = self._lookahead.choose(posterior, self._workspace)
        except OutOfTime:
            return rank_by_risk(posterior)
        scores = self._lookahead.scores
        cells = self._promising(best, p, scores)
        early = _share_open(posterior) < EARLY
        plays = p.size <= MOST_CELLS_PLAYED and posterior.question.total >= 0
        if not plays or (early and effort.seconds is None):
            return [Chance(cell, float(p[cell]), None, 0.0, 0) for cell in cells]
        # Close ones were looked at further, so the best is not always the one of the best score.
        prior = np.array([min(scores[cell] - scores[best], 0.0) if scores[cell] > 0 else NOT_SCORED for cell in cells])
        race = Race(cells, prior, EARLY_DOUBT if early else DOUBT)
        values = race.run(
            lambda chosen, n: self._rollouts.values(posterior, chosen, n, rng, cascade),
            round_of(p.size),
            effort.games,
            clock,
        )
        return [by_games(cells[i], float(p[cells[i]]), values[i]) for i in race.order(values)]

    def _promising(self, best: int, p: NDArray[np.float64], scores: NDArray[np.float64]) -> list[int]:
        """The cells worth a game, the one that is best a step ahead first."""
        scored = [cell for cell in np.argsort(-scores, kind="stable")[:N_SCORED].tolist() if scores[cell] > 0]
        cells = [best, *(cell for cell in scored if cell != best)]
        return cells + [cell for cell in _safest(p, N_SAFEST + len(cells)) if cell not in cells][:N_SAFEST]


def rank_by_risk(posterior: Posterior) -> list[Chance]:
    """Return the cells of least risk, for want of time to look any further."""
    p = posterior.p_mine.ravel()
    return [Chance(cell, float(p[cell]), None, 0.0, 0) for cell in _safest(p, N_SCORED)]


def by_games(cell: int, risk: float, values: NDArray[np.float64]) -> Chance:
    """What is known of a cell after these games: nothing, if they were too few."""
    if len(values) < FEWEST_GAMES:
        return Chance(cell, risk, None, 0.0, len(values))
    return Chance(cell, risk, float(values.mean()), float(values.std()) / len(values) ** 0.5, len(values))


def _safest(p: NDArray[np.float64], n: int) -> list[int]:
    """The cells of least risk, so many at most; open cells have none."""
    return [cell for cell in np.argsort(p, kind="stable")[:n].tolist() if p[cell] < 1.0]


def _share_open(posterior: Posterior) -> float:
    cells = posterior.observation.cells
    return float(np.count_nonzero(cells >= 0)) / cells.size
