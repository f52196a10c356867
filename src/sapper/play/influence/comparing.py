"""What long arguments are worth, and what a row of zeros divides."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.agents.guessing import RandomGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.contradiction import deduce_contradictions
from sapper.inference.reasoning.pairs import deduce_pairs
from sapper.inference.reasoning.single import deduce_single
from sapper.observation import Observation
from sapper.play.fair.starting import start_game
from sapper.play.matches.match import steps
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.agents.agent import Agent
    from sapper.rules import Rules
    from sapper.topology import Cell


class Played(NamedTuple):
    """How one way of reasoning fared on a board."""

    score: float
    won: bool
    n_guesses: int
    milliseconds: float


def _everything(rng: np.random.Generator) -> Agent:
    from sapper.agents.exact.certainty import Certainty

    return ReasoningAgent((Certainty(),), RandomGuess(rng))


# Players that guess alike, at random, and differ only in how long an argument they can follow. The registered agent of
# pairs, infer, guesses and opens in a way of its own, which would be measured along with its reasoning.
PLAYERS: dict[str, Callable[[np.random.Generator], Agent]] = {
    "one clue": lambda rng: ReasoningAgent((deduce_single,), RandomGuess(rng)),
    "two clues": lambda rng: ReasoningAgent((deduce_single, deduce_pairs), RandomGuess(rng)),
    "refuted assumptions": lambda rng: ReasoningAgent((deduce_single, deduce_contradictions), RandomGuess(rng)),
    "everything that follows": _everything,
}


def compare_players(rules: Rules, seed: int) -> dict[str, Played]:
    """Let players who follow arguments of different length play the same board."""
    compared = {}
    for name, make in PLAYERS.items():
        game = start_game(rules, seed)
        agent = make(np.random.default_rng(seed))
        n_guesses = 0
        began = time.perf_counter()
        for step in steps(game, agent):
            n_guesses += any(move.action == "open" for move in step.moves) and step.decision.p_mine != 0.0
        milliseconds = 1000 * (time.perf_counter() - began)
        compared[name] = Played(game.score, game.outcome is Outcome.WON, n_guesses, milliseconds)
    return compared


class Divide(NamedTuple):
    """Two positions that differ in one cell above a row of zeros, and the chance of a mine in a cell below it."""

    before: Observation
    after: Observation
    opened: Cell  # above
    watched: Cell  # below
    total_hidden: tuple[float, float]  # chance before and after, the total unknown
    total_known: tuple[float, float]


# In the upper half (1, 1) is a mine and the corners beside it are safe; the lower half hides two mines for certain.
# The 2 that (1, 2) shows puts the fourth mine of the board above, so with the total none is left for the last row.
_ABOVE_AND_BELOW = ("###/###/111/000/121/###/### 4", "###/##2/111/000/121/###/### 4")


def show_divide() -> Divide:
    """Return, computed now, that a row of zeros divides the board only while the total is unknown.

    >>> divide = show_divide()
    >>> divide.total_hidden
    (0.5, 0.5)
    >>> divide.total_known[1]
    0.0
    """
    before, after = (Observation.parse(text) for text in _ABOVE_AND_BELOW)
    opened, watched = (1, 2), (6, 1)
    chances = []
    for known in (False, True):
        pair = [Observation(one.topology, one.cells, one.total if known else None) for one in (before, after)]
        chances.append([float(mine_probabilities(one).p_mine[watched]) for one in pair])
    (hidden_before, hidden_after), (known_before, known_after) = chances
    return Divide(before, after, opened, watched, (hidden_before, hidden_after), (known_before, known_after))
