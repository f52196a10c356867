"""Report 003's play-by-play as it stands there: its game, its grids, and its punch the moment that it holds.

The report prints its grid every round (``?`` hidden, ``m`` a mine, digits) and a message when the One-Two Punch finds a
mine. Its program looks for the pattern after every tile, among open tiles; ours reasons that far only when nothing safe
is waiting, which finds the same mines later. Here the report's way is followed; the agent chooses its cells as always.

>>> print(draw_grid(Observation.parse("01F/0*#")))
[['0' '1' 'm']
 ['0' 'm' '?']]
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.inference.reasoning.one_two import deduce_one_two
from sapper.knowledge.facts import Facts
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, SYMBOLS, Observation
from sapper.play.matches.record import Move
from sapper.rules import PRESETS
from sapper.world.game import Game

if TYPE_CHECKING:
    from sapper.agents.agent import Agent, Decision
    from sapper.topology import Cell

AGENTS = ("one-two", "one-two-corners")
MESSAGE = "Found hidden mine with method"

# The clues of the report's last grid settle the left half. Of the rest they say that one mine is near (1, 4); where it
# lies, and the sixth mine, are our choice.
_LAYOUT = "----*/--*--/-----/--*--/--***"
# What the report's first grid shows, in an order that its fringe allows: two guesses, then the neighbours of zeros.
_OPENED = ((4, 3), (1, 4), (0, 0), (0, 1), (1, 0), (1, 1), (2, 1))


def reported_game(seed: int) -> tuple[Game, tuple[Move, ...]]:
    """Return the report's own game, played as far as its first grid, and the moves that led there."""
    game = Game(PRESETS["report-003-play"], seed, Layout.parse(_LAYOUT))
    moves = tuple(Move("open", *cell, reason="as in the report") for cell in _OPENED)
    for move in moves:
        move.play(game)
    return game, moves


def draw_grid(observation: Observation) -> str:
    """Write a position as the report's program prints its array."""
    symbols = {**SYMBOLS, HIDDEN: "?", FLAG: "m", EXPLODED: "m"}
    rows = [" ".join(f"'{symbols[code]}'" for code in row) for row in observation.cells.tolist()]
    return "[[" + "]\n [".join(rows) + "]]"


class EagerPuncher:
    """An agent whose One-Two Punch does not wait for safe cells to be opened."""

    def __init__(self, name: str, agent: Agent) -> None:
        if name not in AGENTS:
            raise InputError(f"Only {' and '.join(AGENTS)} play as reported, not {name}.")
        self._agent = agent
        self._told: set[Cell] = set()  # mines, each of which is marked once

    def decide(self, observation: Observation) -> Decision:
        """Choose as the agent does, and tell of every mine that the punch finds."""
        decision = self._agent.decide(observation)
        found = [one for one in decision.deductions if one.cell not in self._told]
        self._told |= {one.cell for one in found if one.is_mine}
        # Open tiles and known mines count, and not what follows from them: the report's pattern is one of its grid.
        facts = Facts(observation)
        for cell in self._told:
            facts.learn(facts.board.index(*cell), True)
        punched = deduce_one_two(facts, list(facts.clues))
        self._told |= {one.cell for one in punched}
        return replace(decision, deductions=(*found, *punched))
