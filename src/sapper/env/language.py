"""A game for a reader of text: positions in words, answers as models write them, an exact reward for every move.

>>> deal = LanguageDeal("4x4/3", seed=1)
>>> game = deal.start("train", 0, "statements")
>>> print(game.text.split(".")[0])
Board: 4 rows, 4 columns
>>> game.answer("I pass.")
'The answer names no cell; write one move such as open (3, 4): row, then column, from 0.'
>>> game.rewards, game.n_wrong
([-1.0], 1)
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from sapper.env.minesweeper import MinesweeperEnv
from sapper.env.task import Reward
from sapper.errors import InputError, RulesError
from sapper.layout import Layout
from sapper.play.noguess.generate import REASONINGS, generate_no_guess
from sapper.rules import Rules
from sapper.text import STYLES, Style, describe, parse_move

Split = Literal["train", "eval"]
SPLITS: tuple[Split, ...] = get_args(Split)
MAX_WRONG = 3  # answers in a row that are not moves, until the game is given up
_STREAM = 6  # of random numbers


class LanguageDeal:
    """Starts games by split and number. Their seeds come from separate streams and are never told."""

    def __init__(
        self,
        rules: Rules | str = "beginner",
        reward: Reward = "excess-risk",
        no_guess: str | None = None,
        seed: int = 0,
    ) -> None:
        self.rules, self.reward, self.no_guess, self.seed = Rules.of(rules), reward, no_guess, seed
        if no_guess is not None and no_guess not in REASONINGS:
            raise InputError(f"no_guess must be one of {', '.join(REASONINGS)}, not {no_guess!r}.")
        if self.rules.opened_mine != "ends":
            raise RulesError("Readers of text play classic games, in which a mine ends the game.")

    def start(self, split: Split, number: int, style: Style) -> LanguageGame:
        """Start a game; a first cell that is promised to be safe is open already."""
        if split not in SPLITS:
            raise InputError(f"There is no split {split!r}; choose from {', '.join(SPLITS)}.")
        entropy = np.random.SeedSequence((self.seed, _STREAM, SPLITS.index(split), number))
        seed = int(entropy.generate_state(1, np.uint64)[0]) >> 1
        rules, options = self.rules, {"game_seed": seed}
        middle = rules.rows // 2, rules.cols // 2
        if self.no_guess is not None:
            made: Layout = generate_no_guess(rules, seed, middle, reasoning=self.no_guess)  # type: ignore[arg-type]
            options["layout"] = made  # type: ignore[assignment]
        env = MinesweeperEnv(rules, reward=self.reward)
        _, info = env.reset(options=options)
        if self.no_guess is not None or rules.first_click != "any":
            first = rules.topology.number(middle)
            env.step(first if info["action_mask"][first] else int(info["action_mask"].argmax()))
        return LanguageGame(env, style)


class LanguageGame:
    """A game in words.

    rewards: what each answer earned; one that is not a move earns the reward of an invalid action.
    n_wrong: the answers that were not moves.
    is_over: whether the game has ended, or was given up after three wrong answers in a row.
    """

    def __init__(self, env: MinesweeperEnv, style: Style) -> None:
        if style not in STYLES:
            raise InputError(f"There is no style {style!r}; choose from {', '.join(STYLES)}.")
        self._env, self._style = env, style
        self.rewards: list[float] = []
        self.n_wrong = self._n_wrong_in_row = 0
        self.is_over = env.game.outcome.value != "playing"

    @property
    def text(self) -> str:
        """The position in words."""
        return describe(self._env.game.observation, self._style)

    @property
    def won(self) -> bool:
        """Whether the game is won."""
        return self._env.game.outcome.value == "won"

    @property
    def share_legal(self) -> float:
        """The share of answers that were moves; 1 if there were none."""
        return 1.0 - self.n_wrong / len(self.rewards) if self.rewards else 1.0

    def answer(self, text: str) -> str:
        """Make the move of an answer; return the next position, or in a sentence what was wrong."""
        if self.is_over:
            return "The game is over."
        try:
            move = parse_move(text, self._env.game.observation)
            if move.verb != "open":
                raise InputError("Flags are not needed; open a cell, such as open (3, 4).")
            action = self._env.task.rules.topology.number(move.cell)
        except InputError as error:
            return self._refuse(str(error))
        _, reward, self.is_over, _, _ = self._env.step(action)
        self.rewards.append(float(reward))
        self._n_wrong_in_row = 0
        if not self.is_over:
            return self.text
        return "You won: every safe cell is open." if self.won else f"{move.cell} was a mine. You lost."

    def _refuse(self, sentence: str) -> str:
        self.rewards.append(self._env.task.rewards.invalid_action)
        self.n_wrong += 1
        self._n_wrong_in_row += 1
        self.is_over = self._n_wrong_in_row >= MAX_WRONG
        return f"{sentence} The game is given up." if self.is_over else sentence
