"""Probes: games that measure something other than their result, or that an unregistered agent plays.

The source of a condition names the probe, as in ``probe:chains``, so that its games are stored, resumed and distributed
like all others. A probe's measurement replaces the moves in the last column of the result; some use other columns too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from types import FrameType

import numpy as np

from sapper.agents.agent import Agent, Decision
from sapper.agents.guessing import Guess, ProductGuess, RandomGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.agents.registry import make_agent, make_puncher, make_stater
from sapper.errors import InputError, TooHard
from sapper.experiments.games import PROBE, GameResult, count_game, play_to_end
from sapper.inference.facts import Facts, cells_of
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.single import SINGLE, Deduction, deduce, deduce_newest, deduce_single, read_clue
from sapper.inference.reasoning.subsets import deduce_pairs
from sapper.observation import EXPLODED, FLAG, Observation
from sapper.play.dealt import start_game
from sapper.play.influence.follow import follow_match
from sapper.play.match import steps
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

Probe = Callable[[Rules, str, int], GameResult]


def probe_of(source: str) -> Probe:
    """Return the probe that a condition's source names."""
    name = source.removeprefix(PROBE)
    if name not in PROBES:
        raise InputError(f"There is no probe {name!r}; choose from {', '.join(PROBES)}.")
    return PROBES[name]


def measure_chain(rules: Rules, agent: str, seed: int) -> GameResult:
    """Measure the longest chain of influence in the game."""
    followed = follow_match(start_game(rules, seed), make_agent(agent, seed))
    game = followed.game
    won = not game.counters.detonations
    return GameResult(int(won), game.n_identified, game.counters.detonations, followed.n_guesses, followed.graph.length)


def count_missed(rules: Rules, agent: str, seed: int) -> GameResult:
    """Count guesses that were made although the clues alone proved some cell safe.

    Guesses before the first zero do not count, nor do cells that are safe only by the number of mines.
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


def weigh_guesses(rules: Rules, agent: str, seed: int, *, counts_missed: bool = False) -> GameResult:
    """Measure the exact risk of an agent's guesses after the first zero, if no cell is certainly safe.

    Records the guesses, how many of them took a safest cell (in place of identified mines), and the excess risk of the
    others, in millionths. With ``counts_missed`` every guess counts, even if some cell is certainly safe.
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
        if posterior.safe and not counts_missed:
            continue
        risks = posterior.p_mine[step.before.closed]
        beyond = float(posterior.p_mine[step.decision.cell] - risks.min())
        n_guesses += 1
        n_least += beyond < 1e-9
        excess += beyond
    return GameResult(0, n_least, game.counters.detonations, n_guesses, round(1e6 * excess))


def count_explorations(rules: Rules, agent: str, seed: int) -> GameResult:
    """Count the cells that an agent opened as safe (in place of guesses), and how many of those were mines."""
    game = start_game(rules, seed)
    n_safe = n_exploded = 0
    for step in steps(game, make_agent(agent, seed)):
        if step.decision.p_mine == 0.0 and step.decision.cell is not None:
            n_safe += 1
            n_exploded += int(step.after.cells[step.decision.cell]) == EXPLODED
    return GameResult(0, 0, game.counters.detonations, n_safe, n_exploded)


def play_to_the_end(rules: Rules, agent: str, seed: int) -> GameResult:
    """Count the moves of an agent that does not stop when all mines are found."""
    game = start_game(rules, seed)
    return count_game(game, steps(game, make_agent(agent, seed), may_stop=False))


def choose_least_risk(rules: Rules, agent: str, seed: int) -> GameResult:
    """Play report 000's play-by-play agent with the safest cell in place of random clicks."""
    del agent
    rng = np.random.default_rng(seed)
    return play_to_end(start_game(rules, seed), make_stater(rng, guesser=_LeastRisk()))


class _LeastRisk:
    """Guesses the first of the safest cells."""

    def guess(self, facts: Facts) -> Guess:
        """Choose the cell; the board is small, so the exact risk is cheap."""
        p_mine = mine_probabilities(facts.observation).p_mine.ravel()
        cell = min(cells_of(facts.unknown), key=lambda one: p_mine[one])
        return Guess(cell, float(p_mine[cell]), "the least exact risk")


# -- report 001: other interpretations of when a silent cell is asked again -------------------------------------------


def ask_late(rules: Rules, agent: str, seed: int, *, once: bool = False) -> GameResult:
    """Play Infer, asking silent cells only before a guess, until they answer, and not during the opening.

    With ``once``, each cell is asked only once until something else has opened or answered.
    """
    del agent
    return play_to_end(start_game(rules, seed), _AsksLate(np.random.default_rng(seed), once))


class _AsksLate(ReasoningAgent):
    def __init__(self, rng: np.random.Generator, once: bool) -> None:
        super().__init__((deduce_single, deduce_pairs), ProductGuess(rng), opening=RandomGuess(rng), asks_again=True)
        self._once = once
        self._asked: set[int] = set()

    def _silent_cells(self, facts: Facts) -> list[int]:
        if facts.opened:
            self._asked.clear()
        if facts.safe or not self._has_zero(facts):
            return []
        silent = [cell for cell in super()._silent_cells(facts) if cell not in self._asked]
        if self._once:
            self._asked.update(silent[:1])
        return silent


# -- the cost of reasoning, counted instead of timed: the same games give the same numbers everywhere -----------------


def count_calls(rules: Rules, agent: str, seed: int) -> GameResult:
    """Count the Python function calls of an agent in a game, in hundreds."""
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
        """Decide as the agent does, counting calls."""
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
    """Count the cost of comparing all statements with each other whenever single clues prove nothing, after a zero.

    Records the square of their number, summed over these moments (in place of guesses); the maximum number of
    statements (in place of identified mines); and the comparisons until no difference of two statements is new.
    """
    game = start_game(rules, seed)
    squares = most = compared = 0
    for step in steps(game, make_agent(agent, seed)):
        decision = step.decision
        is_stuck = decision.p_mine != 0.0 or any(one.rule != SINGLE for one in decision.deductions)
        if not is_stuck or not (step.before.cells == 0).any():
            continue
        facts = Facts(step.before)
        for cell in np.flatnonzero(step.before.cells == FLAG).tolist():
            facts.learn(cell, True)
        deduce_single(facts, list(facts.clues))
        sets = {cells for cells, _, _ in facts.statements(facts.clues).values()}
        squares += len(sets) ** 2
        most = max(most, len(sets))
        compared += consolidate(sets)
    return GameResult(0, most, game.counters.detonations, squares, compared)


def count_looks(rules: Rules, agent: str, seed: int) -> GameResult:
    """Count the statements that report 000's play-by-play agent looks through, newest first.

    Records the square of their number, summed over the clicks (in place of guesses); the maximum number of statements
    (in place of identified mines); and the statements that it looked at, up to the one it acts on.
    """
    del agent
    squares = most = looked = 0

    def deduce_and_count(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
        nonlocal squares, most, looked
        listed = [divmod(clue, facts.board.cols) for clue in reversed(facts.statements(facts.clues))]
        found = deduce_newest(facts, clues)
        squares += len(listed) ** 2
        most = max(most, len(listed))
        looked += listed.index(found[0].clues[0]) + 1 if found else len(listed)
        return found

    game = start_game(rules, seed)
    play_to_end(game, make_stater(np.random.default_rng(seed), deduce_and_count))
    return GameResult(0, most, game.counters.detonations, squares, looked)


def consolidate(sets: set[int]) -> int:
    """Count the comparisons of all sets with all others, repeated until no difference is new.

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


# -- report 003: marks, other interpretations of its text, its fringe --------------------------------------------------


def count_marks(rules: Rules, agent: str, seed: int) -> GameResult:
    """Count the mines that an agent marks, and its wrong marks (in place of guesses)."""
    return _count_marks(start_game(rules, seed), make_agent(agent, seed))


def count_marks_waiting(rules: Rules, agent: str, seed: int) -> GameResult:
    """Do the same for report 003's pattern with the cell beyond the 2 open, as in its play-by-play."""
    rng = np.random.default_rng(seed)
    return _count_marks(start_game(rules, seed), make_puncher(rng, corners_first="corners" in agent, waits=True))


def count_marks_known(rules: Rules, agent: str, seed: int) -> GameResult:
    """Do the same for report 003's simple agent if its rules did not count waiting fringe cells as hidden."""
    del agent
    rng = np.random.default_rng(seed)
    return _count_marks(start_game(rules, seed), ReasoningAgent((deduce_once,), RandomGuess(rng), zeros_first=True))


def _count_marks(game: Game, agent: Agent) -> GameResult:
    result = play_to_end(game, agent)
    n_right = game.n_right_flags
    n_wrong = int((game.observation.cells == FLAG).sum()) - n_right
    return result._replace(guesses=n_wrong, moves=n_right)


def deduce_once(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Use each clue once, when it opens; deduce safe cells only around zeros."""
    del clues
    found: list[Deduction] = []
    for cell in facts.opened:
        said = read_clue(facts, cell) if cell in facts.clues else None
        if said is not None and (said[1] or facts.shown(cell) == 0):
            found += deduce(facts, said[0], said[1], SINGLE, (cell,), said[2])
    return found


def follow_fringe(rules: Rules, agent: str, seed: int) -> GameResult:
    """Measure the fringe of an agent: hidden neighbours of open zeros.

    Records its maximum size (in place of identified mines), the rounds in which it grew (in place of guesses), and
    those in which it shrank.
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
    "all-guesses": partial(weigh_guesses, counts_missed=True),
    "explorations": count_explorations,
    "to-the-end": play_to_the_end,
    "calls": count_calls,
    "asked-late": ask_late,
    "asked-once": partial(ask_late, once=True),
    "compared": count_comparisons,
    "looks": count_looks,
    "least-risk": choose_least_risk,
    "marks": count_marks,
    "marks-waiting": count_marks_waiting,
    "marks-known": count_marks_known,
    "fringe": follow_fringe,
}
