"""A step ahead, for one observation after another: asks `kernels.choose_by_lookahead`, with more memory when needed.

The chance to win with each promising cell, and the best of them.

Few layouts left: perfect play, exactly. A part of the board that is cut off from the rest: perfect play in it, and at
once, since nothing will ever tell more about it. Otherwise games are played on from the position over layouts drawn
with their exact chance (`rollouts`), first a few with many cells, then more with those that may still be the best. What
the games say is weighed against what a step ahead says (`lookahead`): few games change little. All cells are compared
over the same layouts, so the difference of two is known better than either chance.

Close candidates tried out, for one position after another: asks `kernels.choose_by_trying`.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> seen = Observation.parse("1#####/######/######/######/###### 8")
>>> Trying(seen.topology).choose(mine_probabilities(seen))
Tried(cell=12, n_games=0, p_win=0.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper import kernels
from sapper.errors import OutOfTime
from sapper.inference.evaluation.endgame import MANY, Endgame, Ending
from sapper.inference.evaluation.rollouts import (
    FINAL,
    MOST_CELLS_PLAYED,
    Clock,
    Effort,
    Race,
    Rollouts,
    round_of,
    time_for,
)
from sapper.inference.posterior.exact import as_position
from sapper.inference.posterior.workspace import Workspace
from sapper.kernels.codes import TRIAL_GAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.topology import Topology


class Lookahead:
    """What cells are worth a step ahead, on boards of one size. Not for two threads at once."""

    def __init__(self, n_cells: int) -> None:
        self.scores: NDArray[np.float64] = np.empty(n_cells)
        self.relief: NDArray[np.float64] = np.empty(n_cells)

    def choose(self, posterior: Posterior, workspace: Workspace) -> int:
        """Return the number of the best cell of a position with exact clues in which nothing is safe.

        Afterwards ``scores`` holds what each candidate was worth, and NaN for other cells; ``relief`` is what the
        guesses that a cell settles would leave of the chance to win. Raises `TooHard` past the workspace's budget.
        """
        board = posterior.observation.topology.graph
        player = kernels.Player(
            workspace, board, posterior.question.for_kernels(), as_position(posterior), None, self.scores, self.relief
        )
        player.log_now = posterior.log_weight
        while True:
            self.scores.fill(np.nan)
            cell = kernels.choose_by_lookahead(player)
            if cell >= 0:
                return cell
            workspace.grow(player.status)


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


EXCHANGES = 3  # sets of random numbers for each game; a game that steps on more mines uses them again
MOST_CELLS = 10_000  # of a board; on larger ones a game takes longer than most people wait


class Tried(NamedTuple):
    """The cell that was chosen, the games that were played on with it, and what they were worth on average."""

    cell: int
    n_games: int  # 0: it was not a close call
    p_win: float


def make_trials(board: Topology, workspace: Workspace, asked: kernels.Query) -> kernels.Trials | None:
    """Return the memory for trying out, which shares engine and question with whoever asks; None for large boards."""
    n = board.n_cells
    if n > MOST_CELLS:
        return None
    # Any numbers, but the same ones every time: what is chosen depends on the position alone.
    numbers = np.random.default_rng(0)
    cells, start = np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.int8)
    position = kernels.Position(cells, np.zeros(n, dtype=np.int8), np.zeros(n))
    player = kernels.Player(workspace, board.graph, asked, position, Endgame(n, FINAL).ending)
    layouts = np.zeros((TRIAL_GAMES, n), dtype=np.bool_)
    uniform = numbers.random((TRIAL_GAMES, EXCHANGES, 3 * n + 8))
    rollout = kernels.Rollout(start, layouts, uniform, np.zeros(TRIAL_GAMES), cells, True)
    return kernels.Trials(player, rollout, start, layouts, numbers.random((TRIAL_GAMES, 3 * n + 8)))


class Trying:
    """Looks ahead and tries out what is close, on one board. Not for two threads at once."""

    def __init__(self, board: Topology) -> None:
        self.board = board
        self._workspace = Workspace(board.n_cells, False)
        self._asked = kernels.Query(-1)
        self._trials = make_trials(board, self._workspace, self._asked)

    def choose(self, posterior: Posterior) -> Tried:
        """Return the best cell of a position with exact clues in which nothing is safe; raises `TooHard`."""
        self._asked.total = posterior.question.total
        player = kernels.Player(self._workspace, self.board.graph, self._asked, as_position(posterior))
        player.log_now = posterior.log_weight
        while True:
            if self._trials is None:
                cell = kernels.choose_by_lookahead(player)
            else:
                cell = kernels.choose_by_trying(player, self._trials)
            if cell >= 0:
                break
            self._workspace.grow(player.status)
        if self._trials is None:
            return Tried(cell, 0, 0.0)
        return Tried(cell, self._trials.n_played, self._trials.share_won if self._trials.n_played else 0.0)
