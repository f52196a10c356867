"""The chance to win with each promising cell, and the best of them.

Few layouts left: perfect play, exactly. A part of the board that is cut off from the rest: perfect play in it, and at
once, since nothing will ever tell more about it. Otherwise games are played on from the position over layouts drawn
with their exact chance (`rollouts`), first a few with many cells, then more with those that may still be the best. What
the games say is weighed against what a step ahead says (`lookahead`): few games change little. All cells are compared
over the same layouts, so the difference of two is known better than either chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.chances.endgame import MANY, Endgame, Ending
from sapper.inference.chances.lookahead import Lookahead
from sapper.inference.chances.rollouts import Rollouts
from sapper.inference.posterior.workspace import Workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior

N_SAFEST = 2  # cells that are looked at only because they are safe
N_SCORED = 6  # cells that look best a step ahead
ROUND = 64  # games in a round; each takes about 0.3 ms and cell on an expert board
CLEARLY_WORSE = 2.5  # a cell so many standard errors behind gets no more games
# How far a step ahead is off, as a standard deviation of the chance to win: found by many games with each cell, see
# docs/strength.md. While little is open it is hardly ever off, and games are long: they are played only if there is
# time to spend.
DOUBT, EARLY_DOUBT = 0.03, 0.01
NOT_SCORED = -0.03  # what is thought of a cell that was not looked at a step ahead, beside the best
EARLY = 0.1  # less than this share of the board is open


@dataclass(frozen=True, slots=True)
class Chance:
    """What is known of a cell: its risk and the chance to win by opening it."""

    cell: int
    risk: float
    p_win: float | None  # None: not looked into
    error: float  # standard error; 0 if exact
    n_games: int
    part: Ending | None = None  # what perfect play wins in its part of the board, if that is cut off from the rest


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: games for each of the last cells, or seconds, whichever is over first."""

    games: int = 512
    seconds: float | None = None


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
        """Return the promising cells of a position in which nothing is safe, the best first; raises `TooHard`."""
        p = posterior.p_mine.ravel()
        endings = self._endgame.rank(posterior)
        if endings:
            return [Chance(end.cell, float(p[end.cell]), end.wins / end.layouts, 0.0, 0) for end in endings]
        in_part = self._endgame.rank_in_part(posterior)
        if in_part:
            return [Chance(end.cell, float(p[end.cell]), None, 0.0, 0, end) for end in in_part]
        best = self._lookahead.choose(posterior, self._workspace)
        scores = self._lookahead.scores
        cells = self._promising(best, p, scores)
        early = _share_open(posterior) < EARLY
        if posterior.question.total < 0 or (early and effort.seconds is None):
            return [Chance(cell, float(p[cell]), None, 0.0, 0) for cell in cells]
        # Close ones were looked at further, so the best is not always the one of the best score.
        prior = np.array([min(scores[cell] - scores[best], 0.0) if scores[cell] > 0 else NOT_SCORED for cell in cells])
        doubt = EARLY_DOUBT if early else DOUBT
        values = self._play(posterior, cells, prior, doubt, effort, rng, cascade)
        return _ranked(cells, p, values, prior, doubt)

    def _promising(self, best: int, p: NDArray[np.float64], scores: NDArray[np.float64]) -> list[int]:
        """The cells worth a game, the one that is best a step ahead first."""
        scored = [cell for cell in np.argsort(-scores, kind="stable")[:N_SCORED].tolist() if scores[cell] > 0]
        cells = [best, *(cell for cell in scored if cell != best)]
        others = [cell for cell in np.argsort(p, kind="stable").tolist() if p[cell] < 1.0 and cell not in cells]
        return cells + others[:N_SAFEST]

    def _play(
        self,
        posterior: Posterior,
        cells: list[int],
        prior: NDArray[np.float64],
        doubt: float,
        effort: Effort,
        rng: np.random.Generator,
        cascade: bool,
    ) -> list[NDArray[np.float64]]:
        """Return what each cell was worth in each of its games; cells drop out as they fall behind."""
        values = [np.empty(0) for _ in cells]
        alive = list(range(len(cells)))
        until = None if effort.seconds is None else perf_counter() + effort.seconds
        n_games = 0
        while len(alive) > 1 and n_games < effort.games and (until is None or perf_counter() < until):
            new = self._rollouts.values(posterior, [cells[i] for i in alive], ROUND, rng, cascade)
            for i, row in zip(alive, new, strict=True):
                values[i] = np.concatenate([values[i], row])
            n_games += ROUND
            leader = max(alive, key=lambda i: _weighed(values[i] - values[0], float(prior[i]), doubt))
            alive = [i for i in alive if i in (0, leader) or not _is_behind(values[i] - values[leader])]
        return values


def _ranked(
    cells: list[int],
    p: NDArray[np.float64],
    values: list[NDArray[np.float64]],
    prior: NDArray[np.float64],
    doubt: float,
) -> list[Chance]:
    """Put the cells in order: those that had games to the end by games and prior together, then the others."""
    found: list[tuple[int, float, Chance]] = []
    for cell, games, before in zip(cells, values, prior.tolist(), strict=True):
        score = _weighed(games - values[0][: len(games)], before, doubt)
        mean, error = (float(games.mean()), float(games.std()) / len(games) ** 0.5) if len(games) else (None, 0.0)
        found.append((len(games), score, Chance(cell, float(p[cell]), mean, error, len(games))))
    # The sort is stable: of equals, the one that is best a step ahead.
    return [chance for _, _, chance in sorted(found, key=lambda one: one[:2], reverse=True)]


def _weighed(differences: NDArray[np.float64], prior: float, doubt: float) -> float:
    """The difference to the first cell, by games and by what was thought before, each by its certainty."""
    if len(differences) == 0:
        return prior
    variance = float(differences.var()) / len(differences)
    if variance == 0.0:
        # The first cell against itself, or games that never differ.
        return float(differences.mean())
    return (float(differences.mean()) * doubt**2 + prior * variance) / (doubt**2 + variance)


def _is_behind(differences: NDArray[np.float64]) -> bool:
    error = float(differences.std()) / np.sqrt(len(differences))
    return bool(differences.mean() < -CLEARLY_WORSE * error)


def _share_open(posterior: Posterior) -> float:
    cells = posterior.observation.cells
    return float(np.count_nonzero(cells >= 0)) / cells.size
