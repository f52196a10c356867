"""A game whose mines are dealt as it is played: what a guess meets depends on whether somebody had to make it.

Every layout that fits what is seen is equally likely, after every move. One of them is pencilled in, drawn uniformly
from all that fit; what opens shows what it says. As long as nothing is chosen by what only the game knows, it stays a
uniform draw from the layouts that are left. Where a guess must go another way than the pencilled layout says, another
one is drawn, uniformly from those that fit and have the cell clear, or mined.

>>> from sapper.rules import Rules
>>> game = DealtGame(Rules.parse("1x5/2 fair first-any"), seed=1)
>>> while game.outcome.value == "playing":
...     opened = game.open(0, int(game.observation.closed.argmax()))
>>> [(guess.cell, guess.judgement.verdict, guess.survived) for guess in game.guesses]
[((0, 0), 'nothing-safe', True)]

The game that rules ask for, before its first move.

>>> from sapper.rules import Rules
>>> start_game(Rules.parse("beginner fair"), seed=7)
<DealtGame 9x9/10 fair, seed 7: playing, 0 of 71 safe cells open>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from sapper.errors import RulesError, TooHard
from sapper.inference.forced import BUDGET, Judgement, judge
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import SAFE
from sapper.layout import Layout
from sapper.rules import Rules
from sapper.world.game import Game
from sapper.world.generation import DEAL_STREAM, random_uniforms

if TYPE_CHECKING:
    from sapper.inference.posterior.exact import Posterior
    from sapper.rules import Dealing
    from sapper.topology import Cell


class Guess(NamedTuple):
    """An opening that nobody could know to be safe."""

    cell: Cell
    p_mine: float | None  # None: too hard to compute
    judgement: Judgement
    survived: bool

    def as_plain_values(self) -> dict[str, object]:
        """The same for JSON; cells as [row, col]."""
        return {
            "cell": self.cell,
            "p_mine": self.p_mine,
            "verdict": self.judgement.verdict,
            "forced": self.judgement.is_forced,
            "cells": self.judgement.cells,
            "survived": self.survived,
        }


class DealtGame(Game):
    """A game under rules that say ``fair``, ``kind`` or ``cruel``.

    - ``fair``: an unforced guess fails, a forced one survives.
    - ``kind``: every guess survives.
    - ``cruel``: an unforced guess fails, a forced one has its true chance.

    A chord opens its cells one after the other. Where the exact sum is too hard, the pencilled layout decides, as if it
    had been laid.
    """

    dealings: ClassVar[tuple[Dealing, ...]] = ("fair", "kind", "cruel")

    def __init__(self, rules: Rules, seed: int = 0, layout: Layout | None = None) -> None:
        if layout is not None:
            raise RulesError(f"A layout that is given is laid already; leave out the word {rules.dealing}.")
        super().__init__(rules, seed)
        self.guesses: list[Guess] = []
        self._is_safe = np.zeros(rules.n_cells, dtype=np.bool_)  # known from an earlier sum
        self._n_draws = 0

    def _uncover(self, index: int) -> list[Cell]:
        is_promised = self.rules.first_click != "any" and self._n_closed == self.rules.n_cells
        if not is_promised and not self._is_safe[index]:
            self._deal(index)
        return super()._uncover(index)

    def _deal(self, index: int) -> None:
        """Think about an opening and pencil in a layout that answers it as it must be answered."""
        try:
            posterior = mine_probabilities(self.observation.without_flags(), budget=BUDGET)
            self._is_safe |= posterior.verdicts.ravel() == SAFE
            judgement = judge(posterior, index)
            if not judgement.is_guess:
                return
            p_mine = float(posterior.p_mine.flat[index])
            survives = self._survives(judgement)
            if survives is not None and survives == self._is_mined(index):
                self._pencil_in(posterior, index, is_mine=not survives)
        except TooHard:
            judgement, p_mine = Judgement("too-hard"), None
        self.guesses.append(Guess(self._board.cell(index), p_mine, judgement, not self._is_mined(index)))

    def _survives(self, judgement: Judgement) -> bool | None:
        """Whether a guess survives; None: by its true chance."""
        if self.rules.dealing == "kind":
            return True
        if self.rules.dealing == "cruel" and judgement.is_forced:
            return None
        return judgement.is_forced

    def _is_mined(self, index: int) -> bool:
        assert self._layout is not None
        return bool(self._layout.mines.flat[index])

    def _pencil_in(self, posterior: Posterior, index: int, is_mine: bool) -> None:
        """Draw another layout, uniformly from those that fit and have a mine there, or none."""
        seen = posterior.observation
        assumed = seen.assuming(mines=[index]) if is_mine else seen.assuming(safe=[index])
        left = mine_probabilities(assumed, budget=BUDGET)
        uniform = random_uniforms(self.seed, DEAL_STREAM + self._n_draws, left.numbers_per_sample)
        self._n_draws += 1
        self._lay(Layout(self._board, left.sample_by(uniform[np.newaxis])[0]))


def start_game(rules: Rules | str, seed: int = 0, layout: Layout | str | None = None) -> Game:
    """Start a game: one whose mines are laid at the first click, or given, or dealt as it is played."""
    rules = Rules.of(rules)
    given = None if layout is None else Layout.given(layout, rules.topology)
    return (Game if rules.dealing == "laid" else DealtGame)(rules, seed, given)
