"""Games for several cells, in rounds: whoever falls behind gets no more."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import OutOfTime
from sapper.inference.posterior.limits import time_limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sapper import kernels

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
