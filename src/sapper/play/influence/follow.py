"""Follow a game: what every deduction depends on, what long arguments gain, and what a row of zeros divides."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from sapper.agents.agent import Agent, Decision
from sapper.agents.exact import Certainty
from sapper.agents.guessing import RandomGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.influence import Influence
from sapper.inference.reasoning.contradiction import deduce_contradictions
from sapper.inference.reasoning.single import Deduction, deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs
from sapper.observation import Observation
from sapper.play.dealt import start_game
from sapper.play.match import steps
from sapper.play.record import Record
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.world.game import Game, Outcome


class Played(NamedTuple):
    """The result of one kind of reasoning on a board."""

    score: float
    won: bool
    n_guesses: int
    milliseconds: float


# Agents that all guess at random and differ only in the length of their arguments. The registered agent with pairs,
# infer, guesses and opens differently, which would be measured too.
PLAYERS: dict[str, Callable[[np.random.Generator], Agent]] = {
    "one clue": lambda rng: ReasoningAgent((deduce_single,), RandomGuess(rng)),
    "two clues": lambda rng: ReasoningAgent((deduce_single, deduce_pairs), RandomGuess(rng)),
    "refuted assumptions": lambda rng: ReasoningAgent((deduce_single, deduce_contradictions), RandomGuess(rng)),
    "everything that follows": lambda rng: ReasoningAgent((Certainty(),), RandomGuess(rng)),
}


def compare_players(rules: Rules, seed: int) -> dict[str, Played]:
    """Play the same board with agents whose arguments differ in length."""
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
    """Two positions that differ in one cell above a row of zeros, and the mine probability of a cell below it."""

    before: Observation
    after: Observation
    opened: Cell  # above
    watched: Cell  # below
    total_hidden: tuple[float, float]  # before and after, with the number of mines unknown
    total_known: tuple[float, float]


# In the upper half (1, 1) is a mine and the corners beside it are safe; the lower half hides two mines for certain.
# The 2 that (1, 2) shows puts the fourth mine of the board above, so with the total none is left for the last row.
_ABOVE_AND_BELOW = ("###/###/111/000/121/###/### 4", "###/##2/111/000/121/###/### 4")


def show_divide() -> Divide:
    """Show that a row of zeros divides the board only while the number of mines is unknown.

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


class Followed:
    """A game, the graph of its deductions, and the position that each was made from."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.graph = Influence(game.rules.topology)
        self.made_from: dict[int, Observation] = {}  # number of the deduction's node → position
        self.n_guesses = 0
        self.milliseconds = 0.0  # that the agent took to decide, without the graph

    def ask(self, agent: Agent, seen: Observation) -> Decision:
        """Time a decision of an agent."""
        began = time.perf_counter()
        decision = agent.decide(seen)
        self.milliseconds += 1000 * (time.perf_counter() - began)
        return decision

    def note_deductions(self, found: Iterable[Deduction], seen: Observation) -> None:
        """Add deductions in the order in which they were made."""
        for one in found:
            node = self.graph.deduce(one, seen)
            self.made_from.setdefault(node.number, seen)

    def note_openings(self, chosen: Iterable[int], before: Observation, after: Observation) -> None:
        """Add the cells that one move opened: those chosen, each with its cascade."""
        opened = set(np.flatnonzero(before.closed.ravel() & ~after.closed.ravel()).tolist())
        for cell in chosen:
            cascade = _cascade(after, cell, opened)
            opened -= cascade
            self.graph.open(cell, sorted(cascade))
            self.n_guesses += self.graph.node_of(cell).kind == "guessed"


class _Watched:
    """An agent whose decisions are timed and whose deductions are recorded."""

    def __init__(self, agent: Agent, followed: Followed) -> None:
        self._agent = agent
        self._followed = followed

    def decide(self, observation: Observation) -> Decision:
        decision = self._followed.ask(self._agent, observation)
        self._followed.note_deductions(decision.deductions, observation)
        return decision


def follow_match(game: Game, agent: Agent) -> Followed:
    """Play a game to its end with an agent and follow its deductions."""
    followed = Followed(game)
    for step in steps(game, _Watched(agent, followed)):
        opened = [game.rules.topology.index(move.row, move.col) for move in step.moves if move.action == "open"]
        followed.note_openings(opened, step.before, step.after)
    return followed


def follow_record(record: Record, agent: Agent) -> Followed:
    """Replay a game while an agent deduces; cells that it had not proved safe count as guessed.

    Raises `InputError` where a recorded move is illegal.
    """
    replay = record.replay()
    _, game = next(replay)
    followed = Followed(game)
    watcher = _Watched(agent, followed)
    board = game.rules.topology
    # An invalid record is refused before the agent sees it.
    record.final_game()
    for move in record.moves:
        before = game.observation
        if move.action != "flag":
            watcher.decide(before)
        next(replay)
        cell = board.index(move.row, move.col)
        if move.action == "open":
            followed.note_openings([cell], before, game.observation)
        elif move.action == "chord":
            closed, still = before.closed.ravel(), game.observation.closed.ravel()
            chosen = [other for other in board.neighbours_of(cell) if closed[other] and not still[other]]
            followed.note_openings(chosen, before, game.observation)
    return followed


def _cascade(after: Observation, start: int, opened: set[int]) -> set[int]:
    """Return the cells among those just opened that are connected with one of them through zeros."""
    reached = {start}
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        if after.cells.flat[cell] == 0:
            fresh = [other for other in after.topology.neighbours_of(cell) if other in opened and other not in reached]
            reached.update(fresh)
            waiting += fresh
    return reached
