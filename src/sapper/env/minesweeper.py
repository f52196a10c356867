"""One game as a Gymnasium environment, on `world.game.Game`: the readable twin of the compiled vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from sapper.draw.pixels import draw_pixels
from sapper.env.exact import StepJudge
from sapper.env.task import RENDER_MODES, EnvironmentTask, Reward, Rewards
from sapper.errors import IllegalMove, InputError
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN, NO_CLUE
from sapper.play.dealt import start_game
from sapper.rules import Rules
from sapper.world.game import Game, Outcome


class MinesweeperEnv(gymnasium.Env["NDArray[np.int8]", "np.int64"]):
    """A game under any rules.

    >>> env = MinesweeperEnv("3x5/2")
    >>> observation, info = env.reset(options={"game_seed": 12})
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> observation.tolist()
    [[0, 0, 0, 0, 0], [1, 2, 1, 1, 0], [-1, -1, -1, 1, 0]]
    >>> info["action_mask"].tolist(), info["n_opened"]
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0], 12)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        rules: Rules | str = "beginner",
        rewards: Rewards | Mapping[str, float] | None = None,
        invalid_action: str = "ignore",
        render_mode: str | None = None,
        reward: Reward | None = None,
        info: Sequence[str] = (),
    ) -> None:
        self.task = EnvironmentTask.of(rules, rewards, invalid_action, render_mode, reward, info)
        self.render_mode = render_mode
        self.observation_space = self.task.observation_space()  # type: ignore[assignment]
        self.action_space = self.task.action_space()
        self._cells = np.full((1, self.task.rules.n_cells), HIDDEN, dtype=np.int8)
        self._judge = StepJudge(self.task, self._cells)
        self._may_open_first = self.task.may_open_first()
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The current game with its mines: for recordings and tests, not for agents."""
        if self._game is None:
            raise IllegalMove("There is no game yet: call reset() first.")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start a game: the next one of the environment's seed, or that of an option ``game_seed`` or ``layout``.

        The game of seed s is ``start_game(rules, s)``, on every machine.
        """
        super().reset(seed=seed)
        wanted = dict(options or {})
        layout, game_seed = wanted.pop("layout", None), wanted.pop("game_seed", None)
        if wanted:
            raise InputError(f"Unknown reset option {min(wanted)!r}; choose from game_seed, layout.")
        if isinstance(layout, str):
            layout = Layout.parse(layout, self.task.rules.own or self.task.rules.shape)
        if game_seed is None:
            # NumPy guarantees that the raw words of a generator never change.
            game_seed = int(self.np_random.bit_generator.random_raw()) >> 1
        self._game = start_game(self.task.rules, int(game_seed), layout)
        self._cells[0] = HIDDEN
        self._judge.begin(np.array([True]))
        return self._game.observation.cells.copy(), self._info(0)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Open a cell or, in a survey, flag or unflag one."""
        game, rewards = self.game, self.task.rewards
        if game.outcome is not Outcome.PLAYING:
            raise IllegalMove(f"The game is over: {game.outcome.value}; call reset() first.")
        action = self._check(action)
        cells = game.observation.cells
        if not self._action_mask()[action]:
            if self.task.invalid_action == "error":
                raise self.task.refuse(action, cells)
            return cells.copy(), float(rewards.invalid_action), False, False, self._info(0)
        self._judge.judge(np.array([True]), np.array([action]), np.array([game.layout is None]))
        n_safe, n_mines = game.counters.cells_opened, game.counters.detonations
        cell = game.rules.topology.cell(action % game.rules.n_cells)
        if action < game.rules.n_cells:
            game.open(*cell)
        else:
            game.flag(*cell)
        n_opened = game.counters.cells_opened - n_safe
        # Added in the order of the compiled twin, so that the sums agree to the last bit.
        reward = rewards.mine if game.counters.detonations > n_mines else rewards.safe_cell * n_opened
        ended = game.outcome is not Outcome.PLAYING
        if ended:
            reward += rewards.win * self._result()
        paid = np.array([float(reward)])
        self._cells[0] = game.observation.cells.ravel()
        self._judge.pay(paid, np.array([ended]), np.array([self._result()]))
        return game.observation.cells.copy(), float(paid[0]), ended, False, self._info(n_opened)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the position as text (``ansi``) or as a picture (``rgb_array``), without the hidden mines."""
        if self.render_mode is None:
            return None
        seen = self.game.observation
        return seen.pretty() if self.render_mode == "ansi" else draw_pixels(seen)

    def _check(self, action: np.int64 | int) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.task.n_actions:
            raise InputError(f"An action must be an integer from 0 to {self.task.n_actions - 1}, not {action!r}.")
        return number

    def _action_mask(self) -> NDArray[np.int8]:
        game = self.game
        if game.outcome is not Outcome.PLAYING:
            return np.zeros(self.task.n_actions, dtype=np.int8)
        cells = game.observation.cells.ravel()
        may_open = cells == HIDDEN
        if game.layout is None:
            may_open &= self._may_open_first
        if game.rules.channel.redraws:
            may_open |= cells == NO_CLUE
        may_flag = [(cells == HIDDEN) | (cells == FLAG)] if self.task.flags else []
        mask: NDArray[np.int8] = np.concatenate([may_open, *may_flag]).astype(np.int8)
        return mask

    def _result(self) -> float:
        """The game's result so far: 1 if won, else 0; in a finished survey its score."""
        if self.game.outcome is Outcome.FINISHED:
            return self.game.score
        return float(self.game.outcome is Outcome.WON)

    def _info(self, n_opened: int) -> dict[str, Any]:
        return {
            "action_mask": self._action_mask(),
            "game_seed": self.game.seed,
            "n_opened": n_opened,
            "result": self._result(),
            **self._judge.info((self.task.rules.rows, self.task.rules.cols)),
        }
