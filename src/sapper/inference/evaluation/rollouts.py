"""Estimate win chances by rollout, with successive elimination among several cells.

Rounds of rollouts go to the cells that may still be the best; a cell that is clearly worse than the leader gets no
more. That is successive elimination (Even-Dar, Mannor and Mansour, JMLR 7, 2006).

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> either = mine_probabilities(Observation.parse("1#/1# 1"))
>>> Rollouts(4).values(either, [1], 3, np.random.default_rng(0))
array([[0.5, 0.5, 0.5]])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import OutOfTime
from sapper.inference.evaluation.endgame import Endgame
from sapper.inference.posterior.exact import Posterior
from sapper.inference.posterior.limits import time_limit
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, GrowingWorkspace
from sapper.kernels.codes import LEAST_RISK, OK
from sapper.observation import FLAG, HIDDEN, Observation

# Run this many rollouts with each of these cells: rows by cell, columns by rollout.
PlayRound = Callable[[list[int], int], NDArray[np.float64]]

ROUND = 64  # rollouts per cell; each takes about 0.3 ms on an expert board
USUAL_CELLS = 1000  # rounds on larger boards are smaller, since rollouts there take more time and memory
FIRST_ROUNDS = 8  # under a time limit, the first round is this many times shorter
LEAST_SECONDS = 0.2
MAX_CELLS_PLAYED = 250_000  # a single rollout on a larger board takes longer than most people wait
CLEARLY_WORSE = 2.5  # standard errors behind the leader at which a cell is eliminated


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: rollouts for each of the last cells, or seconds, whichever ends first."""

    games: int = 512
    seconds: float | None = None
    cancelled: Callable[[], bool] | None = None  # polled: whether to stop
    progress: Callable[[], None] | None = None  # called after every round

    def countdown(self) -> Callable[[], Effort]:
        """Start the clock: return a function that returns the effort left."""
        begun, seconds = perf_counter(), self.seconds
        if seconds is None:
            return lambda: self
        return lambda: replace(self, seconds=max(0.0, seconds - (perf_counter() - begun)))


@dataclass(frozen=True, slots=True)
class Clock:
    """Until when rollouts are started."""

    effort: Effort
    until: float  # a moment of `perf_counter`; infinity without a time limit

    def is_over(self) -> bool:
        """Report progress, and return whether the time is up or the caller cancelled."""
        if self.effort.progress is not None:
            self.effort.progress()
        return perf_counter() >= self.until or (self.effort.cancelled is not None and self.effort.cancelled())


NO_LIMIT = Clock(Effort(), inf)


@contextmanager
def time_for(effort: Effort, *limited: kernels.Workspace | kernels.EndgameSearch) -> Iterator[Clock]:
    """Enforce the time limit of an effort, if it has one, and yield the clock for rollouts.

    Lookahead and endgame search get `LEAST_SECONDS` in any case.
    """
    if effort.seconds is None:
        yield Clock(effort, inf)
        return
    begun = perf_counter()
    with time_limit(begun + max(effort.seconds, LEAST_SECONDS), *limited, cancelled=effort.cancelled):
        yield Clock(effort, begun + effort.seconds)


def round_of(n_cells: int) -> int:
    """Return the rollouts of a round on boards of this size."""
    return max(1, ROUND * USUAL_CELLS // max(n_cells, USUAL_CELLS))


@dataclass(frozen=True, slots=True)
class SuccessiveElimination:
    """The cells to compare, with prior beliefs about their win chances."""

    cells: Sequence[int]
    prior: NDArray[np.float64]  # mean of each cell's difference to the first
    spread: float  # standard deviation of these

    def run(self, play: PlayRound, n_round: int, n_most: int, clock: Clock = NO_LIMIT) -> list[NDArray[np.float64]]:
        """Return the values of each cell's rollouts.

        Ends after ``n_most`` rollouts, when one cell is left, when the time is up, or when ``play`` runs out of it.
        What was played until then counts; the first rounds are short so that there is something.
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
        """Return the posterior mean of the difference to the first cell: prior and rollouts, by their precision."""
        differences, prior = values[i] - values[0][: len(values[i])], float(self.prior[i])
        if len(differences) == 0:
            return prior
        variance = float(differences.var()) / len(differences)
        if variance == 0.0:
            # The first cell against itself, or rollouts that never differ.
            return float(differences.mean())
        return (float(differences.mean()) * self.spread**2 + prior * variance) / (self.spread**2 + variance)

    def order(self, values: list[NDArray[np.float64]]) -> list[int]:
        """Order the cells: those that were not eliminated by their score, then the others."""
        # The sort is stable: of equals the first leads.
        return sorted(range(len(self.cells)), key=lambda i: (len(values[i]), self.score(values, i)), reverse=True)


def play_alone(play: PlayRound, cell: int, n_round: int, n_most: int, clock: Clock) -> NDArray[np.float64]:
    """Return the values of one cell's rollouts: ``n_most``, or as many as there is time for."""
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


# With at most this many layouts left, exact search ends a rollout: as fast as playing on, and without variance.
FINAL = 60
N_RESAMPLES = 6  # sets of random numbers for each rollout; one that hits more mines uses them again


class Rollouts:
    """Memory for boards of one size. Not for two threads at once.

    The policy of kernels.codes is LEAST_RISK, or LOOKAHEAD as `expert` plays, which takes ten times as long.
    """

    def __init__(
        self, n_cells: int, budget: Budget | None = None, final: int = FINAL, policy: int = LEAST_RISK
    ) -> None:
        self._policy = policy
        self.workspace = GrowingWorkspace(n_cells, False, budget or USUAL_BUDGET)
        self._cells = np.zeros(n_cells, dtype=np.int8)
        self._position = kernels.Position(self._cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
        self.search = Endgame(n_cells, final).search

    def values(
        self, posterior: Posterior, cells: Sequence[int], n_games: int, rng: np.random.Generator, cascade: bool = True
    ) -> NDArray[np.float64]:
        """Return the values of rollouts: rows by cell, columns by layout, the same layouts for all cells.

        The mean of a row estimates the win chance of opening that cell and following the policy. The position needs
        exact clues and a known total, and no cell may be a certain mine. Raises `TooHard` past the budget.
        """
        layouts = posterior.sample(n_games, rng).reshape(n_games, -1)
        uniform = self.numbers(n_games, rng)
        rows = [
            (1.0 - posterior.p_mine.flat[cell]) * self.play(posterior.observation, cell, layouts, uniform, cascade)
            for cell in cells
        ]
        return np.array(rows)

    def numbers(self, n_games: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the random numbers for this many rollouts."""
        return rng.random((n_games, N_RESAMPLES, 3 * len(self._cells) + 8))

    def play(
        self,
        position: Observation,
        cell: int,
        layouts: NDArray[np.bool_],
        uniform: NDArray[np.float64],
        cascade: bool = True,
    ) -> NDArray[np.float64]:
        """Return the values of rollouts that open a cell, one for each layout; the risk of that cell is not counted.

        ``layouts`` fit the position, a row each; ``uniform`` are `N_RESAMPLES` sets of 3 n + 8 random numbers for each.
        """
        assert position.total is not None
        board, asked = position.topology.graph, kernels.Query(position.total)
        player = kernels.Player(self.workspace, board, asked, self._position, self._policy, self.search)
        start = position.cells.ravel().copy()
        start[start == FLAG] = HIDDEN
        values = np.zeros(len(layouts))
        rollout = kernels.Rollout(start, layouts, uniform, values, self._cells, cascade)
        while True:
            status = kernels.roll_out(player, rollout, cell)
            if status == OK:
                return values
            self.workspace.grow(status)
