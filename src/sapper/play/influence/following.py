"""A game followed as it is played: what every deduction of it rests on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.proofs.influence import Influence
from sapper.play.matches.match import steps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.agents.agent import Agent, Decision
    from sapper.inference.reasoning.deduction import Deduction
    from sapper.observation import Observation
    from sapper.play.matches.record import Record
    from sapper.world.game import Game


class Followed:
    """A game, the graph of its deductions, and the position that each was made from."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.graph = Influence(game.rules.topology)
        self.made_from: dict[int, Observation] = {}  # number of the deduction's node → position
        self.n_guesses = 0
        self.milliseconds = 0.0  # that the agent took to decide; the graph is not its work

    def ask(self, agent: Agent, seen: Observation) -> Decision:
        """Let an agent decide by the clock."""
        began = time.perf_counter()
        decision = agent.decide(seen)
        self.milliseconds += 1000 * (time.perf_counter() - began)
        return decision

    def note_deductions(self, found: Iterable[Deduction], seen: Observation) -> None:
        """Enter deductions in the order in which they were made."""
        for one in found:
            node = self.graph.deduce(one, seen)
            self.made_from.setdefault(node.number, seen)

    def note_openings(self, chosen: Iterable[int], before: Observation, after: Observation) -> None:
        """Enter the cells that one move opened: those chosen, and with each the cascade that starts from it."""
        opened = set(np.flatnonzero(before.closed.ravel() & ~after.closed.ravel()).tolist())
        for cell in chosen:
            cascade = _cascade(after, cell, opened)
            opened -= cascade
            self.graph.open(cell, sorted(cascade))
            self.n_guesses += self.graph.node_of(cell).kind == "guessed"


class _Watched:
    """An agent whose decisions are timed and whose deductions are noted as it makes them."""

    def __init__(self, agent: Agent, followed: Followed) -> None:
        self._agent = agent
        self._followed = followed

    def decide(self, observation: Observation) -> Decision:
        decision = self._followed.ask(self._agent, observation)
        self._followed.note_deductions(decision.deductions, observation)
        return decision


def follow_match(game: Game, agent: Agent) -> Followed:
    """Let an agent play a game to its end and follow what rests on what."""
    followed = Followed(game)
    for step in steps(game, _Watched(agent, followed)):
        opened = [game.rules.topology.index(move.row, move.col) for move in step.moves if move.action == "open"]
        followed.note_openings(opened, step.before, step.after)
    return followed


def follow_record(record: Record, agent: Agent) -> Followed:
    """Replay a game while an agent looks on and deduces; whatever it had not proved safe counts as guessed.

    The moves are those on record. Raises `InputError` where one cannot be made.
    """
    replay = record.replay()
    _, game = next(replay)
    followed = Followed(game)
    watcher = _Watched(agent, followed)
    board = game.rules.topology
    # A record that goes wrong is refused before the agent thinks about it.
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
    """The cells among those just opened that hang together with one of them through zeros."""
    reached = {start}
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        if after.cells.flat[cell] == 0:
            fresh = [other for other in after.topology.neighbours_of(cell) if other in opened and other not in reached]
            reached.update(fresh)
            waiting += fresh
    return reached
