"""Fair, kind and cruel games, whose mines are dealt during play: a guess survives or fails by whether it was forced.

After every move, every layout that fits the clues is equally likely. The game keeps one of them, drawn uniformly, which
decides what opened cells show. As long as no choice depends on hidden mines, it stays a uniform draw from the layouts
that remain. If a guess must turn out differently, the game resamples uniformly from the layouts that fit and have the
cell safe, or a mine.

>>> from sapper.rules import Rules
>>> game = DealtGame(Rules.parse("1x5/2 fair first-any"), seed=1)
>>> while game.outcome.value == "playing":
...     opened = game.open(0, int(game.observation.closed.argmax()))
>>> [(guess.cell, guess.judgement.verdict, guess.survived) for guess in game.guesses]
[((0, 0), 'nothing-safe', True)]

`start_game` starts whichever game the rules ask for:

>>> start_game(Rules.parse("beginner fair"), seed=7)
<DealtGame 9x9/10 fair, seed 7: playing, 0 of 71 safe cells open>
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

import numpy as np

from sapper.errors import RulesError, TooHard
from sapper.inference.forced import BUDGET, Judgement, judge
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.kernels.codes import SAFE
from sapper.layout import Layout
from sapper.rules import Dealing, Rules
from sapper.topology import Cell
from sapper.world.game import Game
from sapper.world.generation import DEAL_STREAM, random_uniforms


class DealtGuess(NamedTuple):
    """The opening of a cell that was not provably safe."""

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
    - ``cruel``: an unforced guess fails, a forced one has its true risk.

    A chord opens its cells one by one. Where the exact calculation is too hard, the current layout decides, as on a
    standard board.
    """

    dealings: ClassVar[tuple[Dealing, ...]] = ("fair", "kind", "cruel")

    def __init__(self, rules: Rules, seed: int = 0, layout: Layout | None = None) -> None:
        if layout is not None:
            raise RulesError(f"The mines of a given layout are fixed; remove the word {rules.dealing}.")
        super().__init__(rules, seed)
        self.guesses: list[DealtGuess] = []
        self._is_safe = np.zeros(rules.n_cells, dtype=np.bool_)  # proved by an earlier sum
        self._n_draws = 0

    def _uncover(self, index: int) -> list[Cell]:
        is_first = self._n_closed == self.rules.n_cells
        if not (is_first and self.rules.first_click != "any") and not self._is_safe[index]:
            self._deal(index)
        return super()._uncover(index)

    def _deal(self, index: int) -> None:
        """Judge an opening and resample the layout if it must turn out differently."""
        try:
            posterior = mine_probabilities(self.observation.without_flags(), budget=BUDGET)
            self._is_safe |= posterior.verdicts.ravel() == SAFE
            judgement = judge(posterior, index)
            if not judgement.is_guess:
                return
            p_mine = float(posterior.p_mine.flat[index])
            survives = self._survives(judgement)
            if survives is not None and survives == self._is_mined(index):
                self._resample(posterior, index, is_mine=not survives)
        except TooHard:
            judgement, p_mine = Judgement("too-hard"), None
        self.guesses.append(DealtGuess(self._board.cell(index), p_mine, judgement, not self._is_mined(index)))

    def _survives(self, judgement: Judgement) -> bool | None:
        """Return whether a guess survives; None: the current layout decides."""
        if self.rules.dealing == "kind":
            return True
        if self.rules.dealing == "cruel" and judgement.is_forced:
            return None
        return judgement.is_forced

    def _is_mined(self, index: int) -> bool:
        assert self._layout is not None
        return bool(self._layout.mines.flat[index])

    def _resample(self, posterior: Posterior, index: int, is_mine: bool) -> None:
        """Resample the layout uniformly from those that fit and have a mine there, or none."""
        seen = posterior.observation
        assumed = seen.assuming(mines=[index]) if is_mine else seen.assuming(safe=[index])
        left = mine_probabilities(assumed, budget=BUDGET)
        uniform = random_uniforms(self.seed, DEAL_STREAM + self._n_draws, left.numbers_per_sample)
        self._n_draws += 1
        self._lay(Layout(self._board, left.sample_by(uniform[np.newaxis])[0]))


def start_game(rules: Rules | str, seed: int = 0, layout: Layout | str | None = None) -> Game:
    """Start a game whose mines are placed on the first click, given, or dealt during play, as the rules say."""
    rules = Rules.of(rules)
    given = None if layout is None else Layout.given(layout, rules.topology)
    return (Game if rules.dealing == "laid" else DealtGame)(rules, seed, given)


def count_by_kind(guesses: Iterable[DealtGuess]) -> dict[str, dict[str, int]]:
    """Count forced guesses, unforced ones and those too hard to judge: how many were made, and how many survived.

    >>> count_by_kind([])["forced"]
    {'made': 0, 'survived': 0}
    """
    counted = {kind: {"made": 0, "survived": 0} for kind in ("forced", "unforced", "unknown")}
    for guess in guesses:
        verdict = guess.judgement.verdict
        kind = counted["forced" if guess.judgement.is_forced else "unknown" if verdict == "too-hard" else "unforced"]
        kind["made"] += 1
        kind["survived"] += guess.survived
    return counted
