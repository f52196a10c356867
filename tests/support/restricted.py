"""A player of the Python reasoners that is allowed so much reasoning and no guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sapper.agents.exact import Certainty
from sapper.agents.guessing import Guess
from sapper.agents.reasoning import ReasoningAgent
from sapper.inference.facts import Facts, cells_of
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets
from sapper.layout import Layout
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.agents.reasoning import Way


class Stuck(Exception):
    """Nothing is certain."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts


class NeverGuess:
    def guess(self, facts: Facts) -> Guess:
        raise Stuck(facts)


def ways_of(reasoning: str) -> tuple[Way, ...]:
    ways: dict[str, tuple[Way, ...]] = {
        "single": (deduce_single,),
        "subsets": (deduce_single, deduce_subsets),
        "pairs": (deduce_single, deduce_subsets, deduce_pairs),
        "complete": (Certainty(ignores_total=True),),
        "count": (Certainty(),),
    }
    return ways[reasoning]


def play_without_guess(
    rules: Rules, layout: Layout, first: int, reasoning: str
) -> tuple[bool, NDArray[np.bool_], set[int] | None]:
    """Whether the game is won, what is open at its end, and the mines that are known if it is stuck."""
    game = Game(rules, 0, layout)
    game.open(*layout.topology.cell(first))
    agent = ReasoningAgent(ways_of(reasoning), NeverGuess())
    try:
        while game.outcome is Outcome.PLAYING:
            decision = agent.decide(game.observation)
            if decision.cell is None:
                break
            game.open(*decision.cell)
    except Stuck as stuck:
        return False, game.observation.cells >= 0, set(cells_of(stuck.facts.mines))
    return True, game.observation.cells >= 0, None
