"""Games in which something else is measured than how they end, or in which an unlisted agent plays.

A probe is named by the source of a condition, as in ``probe:chains``, so its games are kept, resumed and spread over
machines as all others are. What it measures stands in the last column of the result, in place of the moves; some probes
use other columns too.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.guessing import RandomGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.agents.registry import make_agent, make_puncher
from sapper.errors import InputError, TooHard
from sapper.experiments.games import PROBE, GameResult, count_game, play_to_end
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.single import SINGLE, Deduction, deduce, read_clue
from sapper.observation import EXPLODED, FLAG, Observation
from sapper.play.dealt import start_game
from sapper.play.influence.follow import follow_match
from sapper.play.match import steps
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from sapper.agents.agent import Agent, Decision
    from sapper.rules import Rules
    from sapper.world.game import Game


if TYPE_CHECKING:
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


def weigh_guesses(rules: Rules, agent: str, seed: int) -> GameResult:
    """How good an agent's guesses are after the first zero, by exact risk, where no cell is certain to be safe.

    Guesses, those among them that take a cell of least risk (in place of identified mines), and the risk that the
    others take beyond it, in millionths.
    """
    game = start_game(rules, seed)
    n_guesses = n_least = 0
    excess = 0.0
    for step in steps(game, make_agent(agent, seed)):
        if step.decision.p_mine == 0.0 or step.decision.cell is None or not (step.before.cells == 0).any():
            continue
        try:
            posterior = mine_probabilities(step.before)
        except TooHard:
            continue
        if posterior.safe:
            continue
        risks = posterior.p_mine[step.before.closed]
        beyond = float(posterior.p_mine[step.decision.cell] - risks.min())
        n_guesses += 1
        n_least += beyond < 1e-9
        excess += beyond
    return GameResult(0, n_least, game.counters.detonations, n_guesses, round(1e6 * excess))


def count_explorations(rules: Rules, agent: str, seed: int) -> GameResult:
    """How many cells an agent opened as safe (in place of guesses), and how many of those were mines."""
    game = start_game(rules, seed)
    n_safe = n_exploded = 0
    for step in steps(game, make_agent(agent, seed)):
        if step.decision.p_mine == 0.0 and step.decision.cell is not None:
            n_safe += 1
            n_exploded += int(step.after.cells[step.decision.cell]) == EXPLODED
    return GameResult(0, 0, game.counters.detonations, n_safe, n_exploded)


def play_to_the_end(rules: Rules, agent: str, seed: int) -> GameResult:
    """The moves of an agent that does not stop when all mines are found."""
    game = start_game(rules, seed)
    return count_game(game, steps(game, make_agent(agent, seed), may_stop=False))


# -- what reasoning costs, counted and not timed: the same games give the same numbers everywhere ---------------------


def count_calls(rules: Rules, agent: str, seed: int) -> GameResult:
    """How many Python functions an agent calls in a game, in hundreds."""
    game = start_game(rules, seed)
    watched = _Counted(make_agent(agent, seed))
    result = play_to_end(game, watched)
    return result._replace(moves=watched.n_calls // 100)


class _Counted:
    """An agent whose function calls are counted."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.n_calls = 0

    def decide(self, observation: Observation) -> Decision:
        """Decide as the agent does."""
        before = sys.getprofile()
        sys.setprofile(self._count)
        try:
            return self._agent.decide(observation)
        finally:
            sys.setprofile(before)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        del frame, argument
        self.n_calls += event == "call"


def count_comparisons(rules: Rules, agent: str, seed: int) -> GameResult:
    """What it would cost to compare all statements with each other whenever the agent guesses.

    The square of their number, summed over the guesses (in place of guesses); the most statements there were (in place
    of identified mines); and the comparisons until no difference of two statements is new, in thousands.
    """
    game = start_game(rules, seed)
    squares = most = compared = 0
    for step in steps(game, make_agent(agent, seed)):
        if step.decision.p_mine == 0.0:
            continue
        facts = Facts(step.before)
        sets = {cells for cells, _, _ in facts.statements(facts.clues).values()}
        squares += len(sets) ** 2
        most = max(most, len(sets))
        compared += consolidate(sets)
    return GameResult(0, most, game.counters.detonations, squares, compared // 1000)


def consolidate(sets: set[int]) -> int:
    """Count the comparisons of all sets with all others, again and again until no difference is new.

    >>> consolidate({0b001, 0b011, 0b110})  # 3 sets, then 4, then 5
    50
    """
    known = set(sets)
    n_compared = 0
    while True:
        n_compared += len(known) ** 2
        new = {larger ^ smaller for larger in known for smaller in known if smaller & larger == smaller != larger}
        if new <= known:
            return n_compared
        known |= new


# -- reports 003: marks, other readings of its text, its fringe --------------------------------------------------------


def count_marks(rules: Rules, agent: str, seed: int) -> GameResult:
    """How many mines an agent marks, and how many cells wrongly (in place of guesses)."""
    return _count_marks(start_game(rules, seed), make_agent(agent, seed))


def count_marks_waiting(rules: Rules, agent: str, seed: int) -> GameResult:
    """The same for report 003's pattern with the cell beyond the 2 open, as in its play-by-play."""
    rng = np.random.default_rng(seed)
    return _count_marks(start_game(rules, seed), make_puncher(rng, corners_first="corners" in agent, waits=True))


def count_marks_known(rules: Rules, agent: str, seed: int) -> GameResult:
    """The same for report 003's simple agent if cells that wait in its fringe were no longer hidden to its rules."""
    del agent
    rng = np.random.default_rng(seed)
    return _count_marks(start_game(rules, seed), ReasoningAgent((deduce_once,), RandomGuess(rng), zeros_first=True))


def _count_marks(game: Game, agent: Agent) -> GameResult:
    result = play_to_end(game, agent)
    n_right = game.n_right_flags
    n_wrong = int((game.observation.cells == FLAG).sum()) - n_right
    return result._replace(guesses=n_wrong, moves=n_right)


def deduce_once(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Use each clue once, when it opens; of safe cells only the neighbours of zeros."""
    del clues
    found: list[Deduction] = []
    for cell in facts.opened:
        said = read_clue(facts, cell) if cell in facts.clues else None
        if said is not None and (said[1] or facts.shown(cell) == 0):
            found += deduce(facts, said[0], said[1], SINGLE, (cell,), said[2])
    return found


def follow_fringe(rules: Rules, agent: str, seed: int) -> GameResult:
    """The fringe of an agent: hidden neighbours of open zeros.

    The most there were at once (in place of identified mines), the rounds in which there were more than before (in
    place of guesses), and those in which there were fewer.
    """
    game = start_game(rules, seed)
    sizes = [0]
    for step in steps(game, make_agent(agent, seed)):
        facts = Facts(step.after)
        fringe = 0
        for cell, bounds in facts.clues.items():
            if bounds == (0, 0):
                fringe |= facts.around[cell] & facts.unknown
        sizes.append(fringe.bit_count())
    n_grown = sum(later > earlier for earlier, later in pairwise(sizes))
    n_shrunk = sum(later < earlier for earlier, later in pairwise(sizes))
    return GameResult(0, max(sizes), game.counters.detonations, n_grown, n_shrunk)


PROBES: dict[str, Probe] = {
    "chains": measure_chain,
    "missed": count_missed,
    "guesses": weigh_guesses,
    "explorations": count_explorations,
    "to-the-end": play_to_the_end,
    "calls": count_calls,
    "comparisons": count_comparisons,
    "marks": count_marks,
    "marks-waiting": count_marks_waiting,
    "marks-known": count_marks_known,
    "fringe": follow_fringe,
}
