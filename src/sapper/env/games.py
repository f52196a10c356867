"""The arrays of many games and the compiled code that plays them: what the vector environment stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.errors import InputError
from sapper.observation import HIDDEN
from sapper.rules import FIRST_CLICKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.channel import Channel
    from sapper.env.task import Task

N_LIMBS = 8  # of a generator: four of its state and four of its increment, 32 bits each
MOST_CELLS = 2**31 - 1  # of all games together: kernels count with 32 bits


class Games:
    """As many games as there are environments, all under one task."""

    def __init__(self, task: Task, n_games: int, most_steps: int | None) -> None:
        n_cells = task.rules.n_cells
        if n_games * n_cells > MOST_CELLS:
            raise InputError(f"{n_games:,} games of {n_cells:,} cells are too many; the limit is {MOST_CELLS:,} cells.")
        self.cells = np.full((n_games, n_cells), HIDDEN, dtype=np.int8)
        self.masks = np.zeros((n_games, task.n_actions), dtype=np.int8)  # 1 where an action is allowed
        self.mines = np.zeros((n_games, n_cells), dtype=np.bool_)  # the truth, once it is drawn
        self.shown = np.zeros((n_games, n_cells), dtype=np.int8)  # what each cell shows when it is opened
        self.streams = np.zeros((n_games, N_LIMBS), dtype=np.uint64)  # the generator of the seeds
        self.seeds = np.zeros(n_games, dtype=np.int64)
        self.is_laid = np.zeros(n_games, dtype=np.bool_)  # whether the layout is drawn: by the first opening
        # What the last step brought.
        self.rewards = np.zeros(n_games, dtype=np.float64)
        self.terminated = np.zeros(n_games, dtype=np.bool_)
        self.truncated = np.zeros(n_games, dtype=np.bool_)
        self.n_opened = np.zeros(n_games, dtype=np.int32)
        self.results = np.zeros(n_games, dtype=np.float64)
        self._chosen = np.zeros(n_games, dtype=np.bool_)
        self._actions = np.zeros(n_games, dtype=np.int64)
        self._board = task.rules.topology.graph
        self._rules = _kernel_rules(task, most_steps)
        self._games = kernels.Games(
            self.cells, self.masks, self.mines, self.shown, self.streams, self.seeds, self.is_laid,
            task.rules.channel.redraws,
        )  # fmt: skip
        self._laying = kernels.Laying(n_cells, _clue_tables(task.rules.channel, self._board.most))
        self._step = kernels.EnvironmentStep(
            self._chosen, self._actions, self.rewards, self.terminated, self.truncated, self.n_opened, self.results
        )

    def seed_stream(self, which: int, seed: int | None) -> None:
        """Let the game seeds of one environment come from the generator that Gymnasium gives to this seed."""
        state = np.random.PCG64(np.random.SeedSequence(seed)).state["state"]
        for k in range(4):
            self.streams[which, k] = state["state"] >> 32 * k & 0xFFFFFFFF
            self.streams[which, 4 + k] = state["inc"] >> 32 * k & 0xFFFFFFFF

    def start(self, which: NDArray[np.bool_]) -> None:
        """Begin a new game where ``which`` says so."""
        self._chosen[:] = which
        kernels.start_games(self._games, self._rules, self._laying, self._step)

    def step(self, active: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Take an action where ``active`` says so; fills rewards, terminated, truncated, n_opened and results."""
        self._chosen[:], self._actions[:] = active, actions
        kernels.step_games(self._games, self._rules, self._board, self._laying, self._step)


def _kernel_rules(task: Task, most_steps: int | None) -> kernels.EnvironmentRules:
    """Return what a task says as the kernels want it."""
    rules, rewards = task.rules, task.rewards
    prices = kernels.Prices(rewards.win, rewards.mine, rewards.safe_cell, rewards.not_allowed)
    found = kernels.EnvironmentRules(rules.mines, FIRST_CLICKS.index(rules.first_click), task.may_open_first(), prices)
    found.cascades = rules.cascade and rules.channel.zero_is_certain
    found.survey, found.redraws, found.most_steps = task.flags, rules.channel.redraws, most_steps or 0
    return found


def _clue_tables(channel: Channel, most: int) -> kernels.ClueTables:
    """Return the channel's distribution functions and last possible rows by number of neighbours, up to ``most``."""
    if channel.kind == "exact":
        return kernels.ClueTables()
    cumulative, last = np.ones((most + 1, most + 2, most + 1)), np.zeros((most + 1, most + 1), dtype=np.int8)
    for degree in range(most + 1):
        likelihood = channel.likelihood(degree)
        cumulative[degree, : degree + 2, : degree + 1] = likelihood.cumsum(axis=0)
        last[degree, : degree + 1] = degree + 1 - (likelihood[::-1] > 0).argmax(axis=0)
    return kernels.ClueTables(cumulative, last)
