"""The game that rules ask for, before its first move.

>>> from sapper.rules import Rules
>>> start_game(Rules.parse("beginner fair"), seed=7)
<DealtGame 9x9/10 fair, seed 7: playing, 0 of 71 safe cells open>
"""

from __future__ import annotations

from sapper.layout import Layout
from sapper.play.fair.game import DealtGame
from sapper.rules import Rules
from sapper.world.game import Game


def start_game(rules: Rules | str, seed: int = 0, layout: Layout | str | None = None) -> Game:
    """Start a game: one whose mines are laid at the first click, or given, or dealt as it is played."""
    rules = Rules.of(rules)
    given = None if layout is None else Layout.given(layout, rules.topology)
    return (Game if rules.dealing == "laid" else DealtGame)(rules, seed, given)
