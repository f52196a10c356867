"""Many games as one Gymnasium vector environment, stepped in compiled code.

Environment i of a vector plays, move for move, the games that `MinesweeperEnv` plays with the same seed. A vector is a
faster `SyncVectorEnv` of single environments, and its games do not depend on their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sapper import kernels
from sapper.channel import Channel
from sapper.draw.pixels import draw_pixels
from sapper.env.exact import StepJudge
from sapper.env.task import RENDER_MODES, EnvironmentTask, Reward, Rewards
from sapper.errors import IllegalMove, InputError, RulesError
from sapper.observation import HIDDEN
from sapper.rules import FIRST_CLICKS, Rules
from sapper.words import count
from sapper.world.generation import check_seed

N_LIMBS = 8  # of a generator: four of its state and four of its increment, 32 bits each
MAX_CELLS = 2**31 - 1  # of all games together: kernels use 32-bit indices


class CompiledGames:
    """The arrays of parallel games under one task, and the kernels that play them."""

    def __init__(self, task: EnvironmentTask, n_games: int, max_steps: int | None) -> None:
        n_cells = task.rules.n_cells
        if n_games * n_cells > MAX_CELLS:
            raise InputError(f"{n_games:,} games of {n_cells:,} cells are too many; the limit is {MAX_CELLS:,} cells.")
        self.cells = np.full((n_games, n_cells), HIDDEN, dtype=np.int8)
        self.masks = np.zeros((n_games, task.n_actions), dtype=np.int8)  # 1 where an action is valid
        self.mines = np.zeros((n_games, n_cells), dtype=np.bool_)  # the layout, once it is placed
        self.shown = np.zeros((n_games, n_cells), dtype=np.int8)  # what each cell shows once open
        self.streams = np.zeros((n_games, N_LIMBS), dtype=np.uint64)  # the generators of game seeds
        self.seeds = np.zeros(n_games, dtype=np.int64)
        self.is_placed = np.zeros(n_games, dtype=np.bool_)  # whether the layout is placed: at the first opening
        # Results of the last step.
        self.rewards = np.zeros(n_games, dtype=np.float64)
        self.terminated = np.zeros(n_games, dtype=np.bool_)
        self.truncated = np.zeros(n_games, dtype=np.bool_)
        self.n_opened = np.zeros(n_games, dtype=np.int32)
        self.results = np.zeros(n_games, dtype=np.float64)
        self._chosen = np.zeros(n_games, dtype=np.bool_)
        self._actions = np.zeros(n_games, dtype=np.int64)
        self._board = task.rules.topology.graph
        self._rules = _kernel_rules(task, max_steps)
        self._games = kernels.Games(
            self.cells, self.masks, self.mines, self.shown, self.streams, self.seeds, self.is_placed,
            task.rules.channel.redraws,
        )  # fmt: skip
        self._placement = kernels.Placement(n_cells)
        self._step = kernels.EnvironmentStep(
            self._chosen, self._actions, self.rewards, self.terminated, self.truncated, self.n_opened, self.results
        )

    def seed_stream(self, which: int, seed: int | None) -> None:
        """Draw the game seeds of one environment from the generator that Gymnasium makes of this seed."""
        state = np.random.PCG64(np.random.SeedSequence(seed)).state["state"]
        for k in range(4):
            self.streams[which, k] = state["state"] >> 32 * k & 0xFFFFFFFF
            self.streams[which, 4 + k] = state["inc"] >> 32 * k & 0xFFFFFFFF

    def start(self, which: NDArray[np.bool_]) -> None:
        """Start a new game where ``which`` is true."""
        self._chosen[:] = which
        kernels.start_games(self._games, self._rules, self._placement, self._step)

    def step(self, active: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Take an action where ``active`` is true; fill rewards, terminated, truncated, n_opened and results."""
        self._chosen[:], self._actions[:] = active, actions
        kernels.step_games(self._games, self._rules, self._board, self._placement, self._step)


def _kernel_rules(task: EnvironmentTask, max_steps: int | None) -> kernels.EnvironmentRules:
    """Return the rules and rewards of a task for the kernels."""
    rules, rewards = task.rules, task.rewards
    values = kernels.RewardValues(rewards.win, rewards.mine, rewards.safe_cell, rewards.invalid_action)
    clues = _clue_tables(rules.channel, rules.topology.graph.max_degree)
    found = kernels.EnvironmentRules(
        rules.mines, FIRST_CLICKS.index(rules.first_click), task.may_open_first(), values, clues
    )
    found.cascades = rules.cascade and rules.channel.zero_is_certain
    found.survey, found.redraws, found.max_steps = task.flags, rules.channel.redraws, max_steps or 0
    return found


def _clue_tables(channel: Channel, max_degree: int) -> kernels.ClueTables:
    """Return the channel's distribution functions and last possible rows, by number of neighbours."""
    if channel.kind == "exact":
        return kernels.ClueTables()
    side = max_degree + 1
    cumulative, last = np.ones((side, side + 1, side)), np.zeros((side, side), dtype=np.int8)
    for degree in range(side):
        likelihood = channel.likelihood(degree)
        cumulative[degree, : degree + 2, : degree + 1] = likelihood.cumsum(axis=0)
        last[degree, : degree + 1] = degree + 1 - (likelihood[::-1] > 0).argmax(axis=0)
    return kernels.ClueTables(cumulative, last)


Arrays = tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class MinesweeperVectorEnv(VectorEnv["NDArray[np.int8]", "NDArray[np.int64]", "NDArray[Any]"]):
    """Many games under the same rules; every returned array belongs to the caller.

    >>> envs = MinesweeperVectorEnv(3, rules="3x5/2")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminated, truncated, infos = envs.step([0, 7, 14])
    >>> infos["n_opened"].tolist(), infos["action_mask"].shape
    ([8, 1, 1], (3, 15))
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "beginner",
        rewards: Rewards | Mapping[str, float] | None = None,
        invalid_action: str = "ignore",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        reward: Reward | None = None,
        info: Sequence[str] = (),
    ) -> None:
        self.task = EnvironmentTask.of(rules, rewards, invalid_action, render_mode, reward, info)
        if self.task.rules.dealing != "laid":
            raise RulesError(f"A vector plays standard boards; for a {self.task.rules.dealing} one use MinesweeperEnv.")
        if num_envs < 1:
            raise InputError(f"A vector needs at least one environment, not {num_envs}.")
        if max_episode_steps is not None and not 0 < max_episode_steps < 2**31:
            raise InputError(f"max_episode_steps must be at least 1, not {max_episode_steps}.")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            names = ", ".join(mode.value for mode in AutoresetMode)
            raise InputError(f"Unknown autoreset mode {autoreset_mode!r}; choose from {names}.") from None
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = self.task.observation_space()
        self.single_action_space = self.task.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shape = (num_envs, self.task.rules.rows, self.task.rules.cols)
        self._games = CompiledGames(self.task, num_envs, max_episode_steps)
        self._judge = StepJudge(self.task, self._games.cells)
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._is_seeded = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start all games: an integer ``seed`` means seed, seed + 1, …; a sequence, one each; None continues the seeds.

        Options: ``game_seed``, an array with the game of every environment; ``reset_mask``, a boolean array with the
        environments to reset.
        """
        wanted = dict(options or {})
        which, game_seeds = self._read_mask(wanted.pop("reset_mask", None)), wanted.pop("game_seed", None)
        if wanted:
            raise InputError(f"Unknown reset option {min(wanted)!r}; choose from game_seed, reset_mask.")
        self._seed_streams(seed, which)
        if game_seeds is not None:
            seeds = np.asarray(game_seeds)
            if seeds.shape != (self.num_envs,) or seeds.dtype.kind not in "iu":
                raise InputError(f"The option game_seed must be {self.num_envs} integers, one for each environment.")
            for wrong in (int(seeds.min()), int(seeds.max())):
                check_seed(wrong)
            game_seeds = seeds.astype(np.int64)
        self._games.start(which)
        self._judge.begin(which)
        if game_seeds is not None:
            self._games.seeds[which] = game_seeds[which]
        self._ended[which] = False
        # After a reset of some, the others keep the results of a game that has ended and not begun again.
        self._games.n_opened[which] = 0
        self._games.results[which] = 0.0
        return self._observations(), self._infos(which)

    def step(self, actions: NDArray[np.int64] | Sequence[int]) -> Arrays:
        """Take an action in every environment; the autoreset mode decides what happens where a game ended.

        ``next-step``: the next step ignores the action, starts a new game and gives the reward 0. ``same-step``: a new
        game starts immediately, and the end of the old one is in ``final_obs`` and ``final_info``. ``disabled``: call
        reset, at least for the ended games.
        """
        if not self._is_seeded:
            raise IllegalMove("There are no games yet: call reset() first.")
        chosen = self._read_actions(actions)
        active, games = self._all, self._games
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            active = ~self._ended
        elif self._ended.any():
            raise IllegalMove(f"The game of environment {int(self._ended.argmax())} is over; call reset() first.")
        self._refuse_invalid_actions(active, chosen)
        valid = active & (games.masks[np.arange(self.num_envs), chosen] == 1)
        self._judge.judge(valid, chosen, ~games.is_placed)
        if self._ended.any():
            games.start(self._ended)
        games.step(active, chosen)
        rewards, terminated, truncated = games.rewards.copy(), games.terminated.copy(), games.truncated.copy()
        self._judge.pay(rewards, terminated, games.results)
        ended = terminated | truncated
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            self._ended = ended
            return self._observations(), rewards, terminated, truncated, self._infos(self._all)
        final = self._final(ended) if ended.any() else {}
        if final:
            games.start(ended)
            self._judge.begin(ended)
            games.n_opened[ended] = 0
            games.results[ended] = 0.0
        return self._observations(), rewards, terminated, truncated, final | self._infos(self._all)

    def render(self) -> tuple[Any, ...] | None:
        """Return the position of every environment as text (``ansi``) or as a picture (``rgb_array``)."""
        if self.render_mode is None:
            return None
        seen = [self.task.observation(cells) for cells in self._games.cells]
        return tuple(one.pretty() if self.render_mode == "ansi" else draw_pixels(one) for one in seen)

    # -- output -------------------------------------------------------------------------------------

    def _observations(self) -> NDArray[np.int8]:
        return self._games.cells.reshape(self._shape).copy()

    def _infos(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        """Return arrays with the keys of `MinesweeperEnv`, and Gymnasium's mask of environments for each."""
        games = self._games
        found: dict[str, Any] = {}
        for name, values in (
            ("action_mask", games.masks),
            ("game_seed", games.seeds),
            ("n_opened", games.n_opened),
            ("result", games.results),
        ):
            found[name], found[f"_{name}"] = values.copy(), which.copy()
        for name, values in self._judge.info(self._shape).items():
            found[name], found[f"_{name}"] = values, which.copy()
        return found

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        last = np.full(self.num_envs, None, dtype=object)
        places = np.flatnonzero(ended)
        for which, cells in zip(places.tolist(), self._games.cells[places].reshape(-1, *self._shape[1:]), strict=True):
            last[which] = cells  # a view of one copy
        return {
            "final_obs": last,
            "_final_obs": ended.copy(),
            "final_info": self._infos(ended),
            "_final_info": ended.copy(),
        }

    # -- input ----------------------------------------------------------------------------------------

    def _read_actions(self, actions: NDArray[np.int64] | Sequence[int]) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise InputError(
                f"Actions must be {self.num_envs} integers, one for each environment, not an array of shape "
                f"{given.shape} and type {given.dtype}."
            )
        if int(given.min()) < 0 or int(given.max()) >= self.task.n_actions:
            wrong = int(np.flatnonzero((given < 0) | (given >= self.task.n_actions))[0])
            raise InputError(
                f"The action {given[wrong]} of environment {wrong} is not between 0 and {self.task.n_actions - 1}."
            )
        return np.ascontiguousarray(given, dtype=np.int64)

    def _refuse_invalid_actions(self, active: NDArray[np.bool_], chosen: NDArray[np.int64]) -> None:
        if self.task.invalid_action != "error":
            return
        wrong = np.flatnonzero(active & (self._games.masks[np.arange(self.num_envs), chosen] == 0))
        if wrong.size:
            where = f" of environment {wrong[0]}"
            raise self.task.refuse(int(chosen[wrong[0]]), self._games.cells[wrong[0]], where)

    def _read_mask(self, mask: object) -> NDArray[np.bool_]:
        if mask is None:
            return self._all
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise InputError(f"reset_mask must be a boolean array of shape ({self.num_envs},), not {mask!r}.")
        if not self._is_seeded:
            raise IllegalMove("There are no games yet: the first reset must be of all environments.")
        return mask.copy()

    def _seed_streams(self, seed: int | Sequence[int | None] | None, which: NDArray[np.bool_]) -> None:
        if seed is None:
            seeds: list[int | None] = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + k for k in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise InputError(
                f"{count(len(seeds), 'seed does', 'seeds do')} not fit {count(self.num_envs, 'environment')}."
            )
        if any(one is not None and one < 0 for one in seeds):
            raise InputError("The seed of an environment must be a non-negative integer.")
        for k in np.flatnonzero(which).tolist():
            # Without a seed, an environment continues its stream; the first time, it gets a random one.
            if seeds[k] is not None or not self._is_seeded:
                self._games.seed_stream(k, seeds[k])
        self._is_seeded = True
