"""Games in which something else is measured than how they end, or in which an unlisted agent plays.

A probe is named by the source of a condition, as in ``probe:chains``, so its games are kept, resumed and spread over
machines as all others are. What it measures stands in the last column of the result, in place of the moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.guessing import Guess, RandomGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.agents.registry import make_agent
from sapper.errors import InputError, TooHard
from sapper.experiments.runs.games import PROBE, GameResult, play_to_end
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.deduction import SINGLE, Deduction, deduce
from sapper.inference.reasoning.one_two import deduce_one_two
from sapper.inference.reasoning.single import deduce_single, read_clue
from sapper.observation import Observation
from sapper.play.fair.starting import start_game
from sapper.play.influence.following import follow_match
from sapper.play.matches.match import steps
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.agents.agent import Agent
    from sapper.knowledge.facts import Facts
    from sapper.rules import Rules

    Probe = Callable[[Rules, str, int], GameResult]


def probe_of(source: str) -> Probe:
    """Return the probe that a condition's source names."""
    name = source.removeprefix(PROBE)
    if name not in PROBES:
        raise InputError(f"There is no probe {name!r}; choose from {', '.join(PROBES)}.")
    return PROBES[name]


def measure_chain(rules: Rules, agent: str, seed: int) -> GameResult:
    """The length of the longest chain of influence in the game."""
    followed = follow_match(start_game(rules, seed), make_agent(agent, seed))
    game = followed.game
    won = not game.counters.detonations
    return GameResult(int(won), game.n_identified, game.counters.detonations, followed.n_guesses, followed.graph.length)


def count_missed(rules: Rules, agent: str, seed: int) -> GameResult:
    """How often the agent guessed although the clues alone proved some cell safe.

    Guesses before the first zero do not count, nor does what only the number of mines would tell.
    """
    game = start_game(rules, seed)
    n_guesses = n_missed = 0
    for step in steps(game, make_agent(agent, seed)):
        if step.decision.p_mine == 0.0 or not (step.before.cells == 0).any():
            continue
        n_guesses += 1
        seen = Observation(step.before.topology, step.before.cells, None, step.before.channel)
        try:
            n_missed += bool(mine_probabilities(seen).safe)
        except TooHard:
            continue
    won = game.outcome is Outcome.WON
    return GameResult(int(won), 0, game.counters.detonations, n_guesses, n_missed)


# -- report 003 as it describes itself ------------------------------------------------------------------------


def deduce_once(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Report 003's use of its rules: each clue once, when it opens; of safe cells only the neighbours of zeros."""
    del clues
    found: list[Deduction] = []
    for cell in facts.opened:
        said = read_clue(facts, cell) if cell in facts.clues else None
        if said is not None and (said[1] or facts.shown(cell) == 0):
            found += deduce(facts, said[0], said[1], SINGLE, (cell,), said[2])
    return found


class BorderWalk:
    """Corners first, then the border cell by cell, each beside the last; then any unknown cell."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._random = RandomGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Take the next unknown cell of the walk."""
        for cell in _border(facts.board.rows, facts.board.cols):
            if facts.unknown >> cell & 1:
                return Guess(cell, None, "nothing is certain; the next cell along the border")
        return self._random.guess(facts)


def _border(rows: int, cols: int) -> list[int]:
    top, bottom = list(range(cols)), list(range((rows - 1) * cols, rows * cols))
    left, right = list(range(0, rows * cols, cols)), list(range(cols - 1, rows * cols, cols))
    corners = [top[0], top[-1], bottom[0], bottom[-1]]
    return [*corners, *(cell for side in (top, left, right, bottom) for cell in side if cell not in corners)]


def _play_with(make: Callable[[np.random.Generator], Agent]) -> Probe:
    def play(rules: Rules, agent: str, seed: int) -> GameResult:
        del agent
        return play_to_end(start_game(rules, seed), make(np.random.default_rng(seed)))

    return play


PROBES: dict[str, Probe] = {
    "chains": measure_chain,
    "missed": count_missed,
    "once": _play_with(lambda rng: ReasoningAgent((deduce_once,), RandomGuess(rng), zeros_first=True)),
    "once-border": _play_with(lambda rng: ReasoningAgent((deduce_once,), BorderWalk(rng), zeros_first=True)),
    "border": _play_with(
        lambda rng: ReasoningAgent((deduce_single, deduce_one_two), BorderWalk(rng), zeros_first=True)
    ),
}
