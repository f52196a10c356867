"""The play-by-plays of reports 000 and 003 as they stand there: their games, their grids, and what they missed.

Report 000 shows a 4 x 4 board after every click, with what its program then deduced. Report 003 prints its grid every
round (``?`` hidden, ``m`` a mine, digits) and a message when the One-Two Punch finds a mine; there the pattern waits
for the cell beyond the 2, which the report's text does not ask for.

>>> print(draw_grid(Observation.parse("01F/0*#")))
[['0' '1' 'm']
 ['0' 'm' '?']]
>>> print(draw_board(Observation.parse("01F/0*#")))
0 1 .
0 X .
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.guessing import Guess, QueueGuess
from sapper.agents.registry import make_puncher, make_stater
from sapper.errors import InputError
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_subsets
from sapper.knowledge.facts import Facts
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, SYMBOLS, Observation
from sapper.play.matches.record import Move
from sapper.rules import PRESETS
from sapper.world.game import Game

if TYPE_CHECKING:
    from sapper.agents.reasoning import ReasoningAgent
    from sapper.inference.reasoning.deduction import Deduction
    from sapper.topology import Cell

MESSAGE = "Found hidden mine with method"

# Who plays as reported, by the name of the sound agent or its own; and whether it takes corners and edges first.
STATEMENTS = ("statements", "statements-reported")
PUNCHERS = {
    "one-two": False,
    "one-two-reported": False,
    "one-two-corners": True,
    "one-two-corners-reported": True,
}

_LAYOUT_000 = "**--/-*--/---*/*--*"
_CLICKED = ((0, 3), (2, 3), (2, 0), (3, 3), (0, 0))  # at random, as the report's program did
# The figure of the report that shows the board after a click; the seventh comes after two.
FIGURES = {(0, 3): 1, (2, 3): 2, (2, 2): 3, (2, 1): 4, (2, 0): 5, (3, 3): 6, (3, 1): 7, (0, 0): 8, (1, 0): 9}

# The clues of the last grid of report 003 settle the left half. Of the rest they say that one mine is near (1, 4);
# where it lies, and the sixth mine, are our choice.
_LAYOUT_003 = "----*/--*--/-----/--*--/--***"
# What its first grid shows, in an order that its fringe allows: two guesses, then the neighbours of zeros.
_OPENED = ((4, 3), (1, 4), (0, 0), (0, 1), (1, 0), (1, 1), (2, 1))


def make_reported(agent: str, seed: int, *, own_game: bool = False) -> ReasoningAgent:
    """Make the report's version of an agent; in report 000's own game it clicks at random where the report's did."""
    rng = np.random.default_rng(seed)
    if agent in STATEMENTS:
        return make_stater(rng, guesser=_Scripted(_CLICKED, rng) if own_game else None)
    if agent in PUNCHERS:
        return make_puncher(rng, corners_first=PUNCHERS[agent], waits=True)
    known = (STATEMENTS[0], *(name for name in PUNCHERS if not name.endswith("reported")))
    raise InputError(f"Only {', '.join(known[:-1])} and {known[-1]} play as reported, not {agent}.")


def reported_game(agent: str, seed: int) -> tuple[Game, tuple[Move, ...]]:
    """Return the own game of an agent's report, as far as it shows no step of it, and the moves that led there."""
    if agent in STATEMENTS:
        return Game(PRESETS["report-000"], seed, Layout.parse(_LAYOUT_000)), ()
    game = Game(PRESETS["report-003-play"], seed, Layout.parse(_LAYOUT_003))
    moves = tuple(Move("open", *cell, reason="as in the report") for cell in _OPENED)
    for move in moves:
        move.play(game)
    return game, moves


class _Scripted:
    """The cells that a report's agent clicked at random; then those of a queue."""

    def __init__(self, cells: tuple[Cell, ...], rng: np.random.Generator) -> None:
        self._cells = list(cells)
        self._queue = QueueGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Take the next one."""
        if not self._cells:
            return self._queue.guess(facts)
        return Guess(facts.board.index(*self._cells.pop(0)), None, "at random, as in the report")


def find_missed(observation: Observation) -> list[Deduction]:
    """The cells that report 000's own rules prove safe in a position, with the statements that do."""
    facts = Facts(observation)
    for cell in np.flatnonzero(observation.cells == FLAG).tolist():
        facts.learn(cell, True)
    found: list[Deduction] = []
    while new := [*deduce_single(facts, list(facts.clues)), *deduce_subsets(facts, list(facts.clues))]:
        found += new
    return [one for one in found if not one.is_mine]


def draw_grid(observation: Observation) -> str:
    """Write a position as report 003's program prints its array."""
    symbols = {**SYMBOLS, HIDDEN: "?", FLAG: "m", EXPLODED: "m"}
    rows = [" ".join(f"'{symbols[code]}'" for code in row) for row in observation.cells.tolist()]
    return "[[" + "]\n [".join(rows) + "]]"


def draw_board(observation: Observation) -> str:
    """Write a position as report 000's figures show it: a mine that went off is X, what is not open is empty."""
    symbols = {**SYMBOLS, HIDDEN: ".", FLAG: ".", EXPLODED: "X"}
    return "\n".join(" ".join(symbols[code] for code in row) for row in observation.cells.tolist())
