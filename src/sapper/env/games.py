"""The arrays of many games and the compiled code that plays them: what the vector environment stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import environments as kernel
from sapper.kernels.pcg64 import N_LIMBS
from sapper.observation import HIDDEN
from sapper.rules import FIRST_CLICKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.channel import Channel
    from sapper.env.task import Task


class Games:
    """As many games as there are environments, all under one task. Arrays are documented in `kernels/environments`."""

    def __init__(self, task: Task, n_games: int, most_steps: int | None) -> None:
        rules, board = task.rules, task.rules.topology
        n_cells = board.n_cells
        self.cells = np.full((n_games, n_cells), HIDDEN, dtype=np.int8)
        self.masks = np.zeros((n_games, task.n_actions), dtype=np.int8)
        self.streams = np.zeros((n_games, N_LIMBS), dtype=np.uint64)
        self.seeds = np.zeros(n_games, dtype=np.int64)
        self.tallies = np.zeros((n_games, kernel.N_TALLIES), dtype=np.int32)
        self.states = np.zeros(n_games, dtype=np.int8)
        self._state = (
            self.cells,
            self.masks,
            np.zeros((n_games, n_cells), dtype=np.bool_),
            np.zeros((n_games, n_cells), dtype=np.int8),
            np.zeros((n_games, n_cells if rules.channel.redraws else 0), dtype=np.int32),
            self.streams,
            self.seeds,
            self.tallies,
            self.states,
        )
        settings = (
            rules.mines,
            FIRST_CLICKS.index(rules.first_click),
            rules.cascade and rules.channel.zero_is_certain,
            task.flags,
            rules.channel.redraws,
            most_steps or 0,
        )
        prices = (task.rewards.win, task.rewards.mine, task.rewards.safe_cell, task.rewards.not_allowed)
        self._board = (
            board.table,
            board.degree,
            task.may_open_first(),
            *_clue_tables(rules.channel),
            np.array(settings, dtype=np.int64),
            np.array(prices, dtype=np.float64),
        )
        self._scratch = (
            np.zeros(N_LIMBS, dtype=np.uint64),
            np.zeros(12, dtype=np.uint64),
            np.zeros(n_cells, dtype=np.uint64),
            np.zeros(n_cells + 1, dtype=np.uint64),
            np.zeros(n_cells + 1, dtype=np.int32),
            np.zeros(n_cells, dtype=np.int32),
        )
        self.rewards = np.zeros(n_games, dtype=np.float64)
        self.terminated = np.zeros(n_games, dtype=np.bool_)
        self.truncated = np.zeros(n_games, dtype=np.bool_)
        self.n_opened = np.zeros(n_games, dtype=np.int32)
        self.results = np.zeros(n_games, dtype=np.float64)

    @property
    def is_laid(self) -> NDArray[np.bool_]:
        """Whether the layout of each game is drawn, which its first opening does: (n_games,)."""
        laid: NDArray[np.bool_] = self.tallies[:, kernel.LAID] != 0
        return laid

    def seed_stream(self, which: int, seed: int | None) -> None:
        """Let the game seeds of one environment come from the generator that Gymnasium gives to this seed."""
        state = np.random.PCG64(np.random.SeedSequence(seed)).state["state"]
        for k in range(4):
            self.streams[which, k] = state["state"] >> 32 * k & 0xFFFFFFFF
            self.streams[which, 4 + k] = state["inc"] >> 32 * k & 0xFFFFFFFF

    def start(self, which: NDArray[np.bool_]) -> None:
        """Begin a new game where ``which`` says so."""
        kernel.start_games(which, self._state, self._board, self._scratch)

    def step(self, active: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Take an action where ``active`` says so; fills rewards, terminated, truncated, n_opened and results."""
        kernel.step_games(
            active, actions, self._state, self._board, self._scratch, self.rewards, self.terminated, self.truncated,
            self.n_opened, self.results,
        )  # fmt: skip


def _clue_tables(channel: Channel) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Return the channel's distribution functions and last possible rows by number of neighbours; see `laying`."""
    if channel.kind == "exact":
        return np.zeros((0, 0, 0)), np.zeros((0, 0), dtype=np.int8)
    cumulative, last = np.ones((9, 10, 9)), np.zeros((9, 9), dtype=np.int8)
    for degree in range(9):
        likelihood = channel.likelihood(degree)
        cumulative[degree, : degree + 2, : degree + 1] = likelihood.cumsum(axis=0)
        last[degree, : degree + 1] = degree + 1 - (likelihood[::-1] > 0).argmax(axis=0)
    return cumulative, last
