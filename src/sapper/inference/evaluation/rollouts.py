"""Games for several cells, in rounds: whoever falls behind gets no more.

Chances to win by playing on, for one position after another: asks `kernels.roll_out`.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> either = mine_probabilities(Observation.parse("1#/1# 1"))
>>> Rollouts(4).values(either, [1], 3, np.random.default_rng(0))
array([[0.5, 0.5, 0.5]])
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.errors import OutOfTime
from sapper.inference.evaluation.endgame import Endgame
from sapper.inference.posterior.limits import time_limit
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace
from sapper.kernels.codes import OK
from sapper.observation import FLAG, HIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.observation import Observation


if TYPE_CHECKING:
    # So many games with each of these cells: rows by cell, columns by game.
    PlayRound = Callable[[list[int], int], NDArray[np.float64]]

ROUND = 64  # games in a round; each takes about 0.3 ms and cell on an expert board
USUAL_CELLS = 1000  # rounds on larger boards are smaller, since games there take longer, and more memory
FIRST_ROUNDS = 8  # where the clock counts, the first round is so many times shorter
LEAST_SECONDS = 0.2
MOST_CELLS_PLAYED = 250_000  # a single game on a larger board takes longer than most people wait
CLEARLY_WORSE = 2.5  # a cell so many standard errors behind gets no more games


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: games for each of the last cells, or seconds, whichever is over first."""

    games: int = 512
    seconds: float | None = None
    cancelled: Callable[[], bool] | None = None  # asked now and then: whether to stop
    progress: Callable[[], None] | None = None  # called after every round of games


@dataclass(frozen=True, slots=True)
class Clock:
    """Until when games are begun."""

    effort: Effort
    until: float  # a moment of `perf_counter`; infinity if only games count

    def is_over(self) -> bool:
        """Whether the time is over, or somebody does not want to know any more; those who wait are told of progress."""
        if self.effort.progress is not None:
            self.effort.progress()
        return perf_counter() >= self.until or (self.effort.cancelled is not None and self.effort.cancelled())


NO_LIMIT = Clock(Effort(), inf)


@contextmanager
def time_for(effort: Effort, *limited: kernels.Workspace | kernels.Ending) -> Iterator[Clock]:
    """Keep the seconds of an effort, if it has any, and give the clock by which games are begun.

    A look ahead, or a search for perfect play, gets `LEAST_SECONDS` whatever is said.
    """
    if effort.seconds is None:
        yield Clock(effort, inf)
        return
    begun = perf_counter()
    with time_limit(begun + max(effort.seconds, LEAST_SECONDS), *limited, cancelled=effort.cancelled):
        yield Clock(effort, begun + effort.seconds)


def round_of(n_cells: int) -> int:
    """The games of a round on boards of this size."""
    return max(1, ROUND * USUAL_CELLS // max(n_cells, USUAL_CELLS))


@dataclass(frozen=True, slots=True)
class Race:
    """Who takes part: the cells, what is thought of each beside the first, and how far that may be off."""

    cells: Sequence[int]
    prior: NDArray[np.float64]
    doubt: float  # as a standard deviation of the chance to win

    def run(self, play: PlayRound, n_round: int, n_most: int, clock: Clock = NO_LIMIT) -> list[NDArray[np.float64]]:
        """Return what each cell was worth in each of its games; cells drop out as they fall behind.

        Ends with ``n_most`` games, when only one cell is left, when the time is over, or when ``play`` runs out of it:
        what was played until then counts, and the first rounds are short so that there is something.
        """
        values = [np.empty(0) for _ in self.cells]
        alive = list(range(len(self.cells)))
        n_games = 0
        largest, n_round = n_round, n_round if clock.until == inf else max(1, n_round // FIRST_ROUNDS)
        while len(alive) > 1 and n_games < n_most and not clock.is_over():
            try:
                new = play([self.cells[i] for i in alive], n_round)
            except OutOfTime:
                break
            for i, row in zip(alive, new, strict=True):
                values[i] = np.concatenate([values[i], row])
            n_games, n_round = n_games + n_round, min(2 * n_round, largest)
            leader = max(alive, key=lambda i: self.score(values, i))
            alive = [i for i in alive if i in (0, leader) or not _is_behind(values[i] - values[leader])]
        return values

    def score(self, values: list[NDArray[np.float64]], i: int) -> float:
        """The difference to the first cell, by games and by what was thought before, each by its certainty."""
        differences, prior = values[i] - values[0][: len(values[i])], float(self.prior[i])
        if len(differences) == 0:
            return prior
        variance = float(differences.var()) / len(differences)
        if variance == 0.0:
            # The first cell against itself, or games that never differ.
            return float(differences.mean())
        return (float(differences.mean()) * self.doubt**2 + prior * variance) / (self.doubt**2 + variance)

    def order(self, values: list[NDArray[np.float64]]) -> list[int]:
        """Put the cells in order: those that had games to the end by games and prior together, then the others."""
        # The sort is stable: of equals, the one that comes first.
        return sorted(range(len(self.cells)), key=lambda i: (len(values[i]), self.score(values, i)), reverse=True)


def play_alone(play: PlayRound, cell: int, n_round: int, n_most: int, clock: Clock) -> NDArray[np.float64]:
    """Return what one cell was worth in each of its games: so many, or as many as there is time for."""
    values = np.empty(0)
    while len(values) < n_most and (len(values) == 0 or not clock.is_over()):
        try:
            values = np.concatenate([values, play([cell], min(n_round, n_most - len(values)))[0]])
        except OutOfTime:
            break
    return values


def _is_behind(differences: NDArray[np.float64]) -> bool:
    error = float(differences.std()) / np.sqrt(len(differences))
    return bool(differences.mean() < -CLEARLY_WORSE * error)


# From so many layouts on perfect play says how a game ends: as quick as playing on, and free of luck.
FINAL = 60
EXCHANGES = 6  # sets of random numbers for each game; a game that steps on more mines uses them again


class Rollouts:
    """Memory for boards of one size. Not for two threads at once.

    Games go on by least risk, or by looking ahead as `expert` does, which takes ten times as long.
    """

    def __init__(
        self, n_cells: int, budget: Budget | None = None, final: int = FINAL, *, expertly: bool = False
    ) -> None:
        self._expertly = expertly
        self.workspace = Workspace(n_cells, False, budget or USUAL_BUDGET)
        self._cells = np.zeros(n_cells, dtype=np.int8)
        self._position = kernels.Position(self._cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
        self.ending = Endgame(n_cells, final).ending

    def values(
        self, posterior: Posterior, cells: Sequence[int], n_games: int, rng: np.random.Generator, cascade: bool = True
    ) -> NDArray[np.float64]:
        """Return what opening each cell was worth in each game: rows by cell, columns by layout, the same for all.

        The mean of a row is the chance to win by opening that cell and going on, perfectly where few layouts are left.
        For positions with exact clues and a known total, and cells that may be clear. Raises
        `TooHard` past the budget.
        """
        layouts = posterior.sample(n_games, rng).reshape(n_games, -1)
        uniform = self.numbers(n_games, rng)
        rows = [
            (1.0 - posterior.p_mine.flat[cell]) * self.play(posterior.observation, cell, layouts, uniform, cascade)
            for cell in cells
        ]
        return np.array(rows)

    def numbers(self, n_games: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the random numbers for so many games."""
        return rng.random((n_games, EXCHANGES, 3 * len(self._cells) + 8))

    def play(
        self,
        position: Observation,
        cell: int,
        layouts: NDArray[np.bool_],
        uniform: NDArray[np.float64],
        cascade: bool = True,
    ) -> NDArray[np.float64]:
        """Return what games that go on with a cell are worth, one for each layout, the risk of that cell not counted.

        ``layouts`` fit the position, a row each; ``uniform`` are random numbers, `EXCHANGES` sets of 3 n + 8 for each.
        """
        assert position.total is not None
        board, asked = position.topology.graph, kernels.Query(position.total)
        player = kernels.Player(self.workspace, board, asked, self._position, self.ending)
        start = position.cells.ravel().copy()
        start[start == FLAG] = HIDDEN
        values = np.zeros(len(layouts))
        rollout = kernels.Rollout(start, layouts, uniform, values, self._cells, cascade, self._expertly)
        while True:
            status = kernels.roll_out(player, rollout, cell)
            if status == OK:
                return values
            self.workspace.grow(status)
