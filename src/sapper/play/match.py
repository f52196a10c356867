"""A match: an agent plays a game to its end, which makes a record.

>>> from sapper.agents.registry import make_agent
>>> from sapper.rules import Rules
>>> from sapper.world.game import Game
>>> play_match(Game(Rules.parse("beginner"), seed=7), make_agent("infer", seed=7)).result
'won after 27 moves, score 0/10'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sapper.agents.agent import Agent, Decision
from sapper.agents.foreign.agent import ForeignAgent
from sapper.errors import IllegalMove, InputError, check_type
from sapper.observation import FLAG, Observation
from sapper.play.record import Move, Record
from sapper.world.game import Game, Outcome


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One decision, with the positions before and after it."""

    before: Observation
    decision: Decision
    moves: tuple[Move, ...]  # flags, then the opening
    after: Observation


def steps(game: Game, agent: Agent, *, flags: bool | None = None, may_stop: bool = True) -> Iterator[MatchStep]:
    """Play a game to its end with an agent and yield every step.

    Deduced mines are flagged in a survey, where flags make the score, and in other games if ``flags`` is true. An agent
    that has found all mines of a survey may stop: the last step then opens nothing.
    """
    # An agent in a process of its own passes on what it has been told of the game.
    if isinstance(agent, ForeignAgent):
        agent.begin(game.rules)
    if flags is None:
        flags = game.rules.opened_mine == "explodes"
    while game.outcome is Outcome.PLAYING:
        before = game.observation
        decision = agent.decide(before)
        moves = []
        if flags:
            for found in decision.deductions:
                if found.is_mine:
                    moves.append(Move("flag", *found.cell, reason=found.reason))
                    moves[-1].play(game)
        stops = may_stop and decision.has_all and game.rules.opened_mine == "explodes"
        if game.outcome is Outcome.PLAYING and not stops:
            if decision.cell is None:
                raise IllegalMove(f"The agent sees nothing to open although the game goes on: {decision.reason}")
            if game.observation.cells[decision.cell] == FLAG:
                # An agent that reconsiders a cell removes its flag before opening it.
                moves.append(Move("flag", *decision.cell, reason="the flag is removed"))
                moves[-1].play(game)
            moves.append(Move("open", *decision.cell, reason=decision.why))
            moves[-1].play(game)
        yield MatchStep(before, decision, tuple(moves), game.observation)
        if stops:
            return


def play_match(game: Game, agent: Agent, *, player: str = "", flags: bool | None = None) -> Record:
    """Play a game to its end with an agent and return the record."""
    check_type(game, Game, "a game")
    if not hasattr(agent, "decide"):
        raise InputError(f"Expected an agent such as sapper.make_agent('exact'), not {agent!r:.80}.")
    moves = [move for step in steps(game, agent, flags=flags) for move in step.moves]
    return Record.of(game, tuple(moves), player)
