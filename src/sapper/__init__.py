"""Sapper plays, solves, explains, generates and studies Minesweeper.

The world holds the truth; the mind sees only observations. They share that one value and meet in play::

    rules ─ observation ─┬─ world (generate, clues, game) ──────┐
                         └─ knowledge ─ inference ─ agents ─────┴─ play ─ experiments │ env ─ web ─ cli
    kernels (compiled by Cython) lie beneath everything

The names below are the front door; each is loaded when it is first used, so that ``import sapper`` costs
nothing.

>>> import sapper
>>> game = sapper.Game(sapper.Rules.parse("beginner"), seed=5)
>>> len(game.open(0, 0))
8
>>> print(game.observation)
0001#####/1111#####/#########/#########/#########/#########/#########/#########/######### 10
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.agents.agent import Agent, Decision
    from sapper.agents.registry import AGENTS, make_agent
    from sapper.channel import Channel
    from sapper.errors import Contradiction, SapperError, TooHard
    from sapper.inference.posterior.exact import Posterior, mine_probabilities
    from sapper.layout import Layout
    from sapper.observation import Observation
    from sapper.play.advice.best import best_cell
    from sapper.play.boards.certificate import Certificate
    from sapper.play.boards.certify import certify
    from sapper.play.boards.noguess import generate_no_guess
    from sapper.play.boards.verify import verify
    from sapper.play.figures.metrics import board_metrics
    from sapper.play.matches.match import play_match
    from sapper.play.matches.record import Record
    from sapper.rules import PRESETS, Rules
    from sapper.topology import Topology
    from sapper.world.game import Game, Outcome
    from sapper.world.generate import generate_layout

__version__ = "0.1.0"

_HOME = {
    "Rules": "rules",  # the description of a game
    "PRESETS": "rules",  # beginner, intermediate, expert and the boards of the reports
    "Channel": "channel",  # how clues are shown: exact, withheld, optimistic, cautious
    "Topology": "topology",  # which cells touch
    "Observation": "observation",  # what a player sees
    "Layout": "layout",  # a full placement of mines
    "generate_layout": "world.generate",
    "Game": "world.game",  # one playthrough
    "Outcome": "world.game",
    "mine_probabilities": "inference.posterior.exact",  # the exact engine
    "Posterior": "inference.posterior.exact",  # what is known of the mines
    "best_cell": "play.advice.best",  # the cell to open, its chance to win, the candidates
    "Contradiction": "errors",  # no layout fits
    "TooHard": "errors",  # the exact sum exceeds the budget
    "Agent": "agents.agent",  # decides on observations
    "Decision": "agents.agent",  # a cell, its risk, the reason
    "AGENTS": "agents.registry",  # every agent by name
    "make_agent": "agents.registry",
    "play_match": "play.matches.match",  # game x agent → record
    "Record": "play.matches.record",  # what happened, replayable
    "board_metrics": "play.figures.metrics",  # 3BV, openings, islands
    "generate_no_guess": "play.boards.noguess",  # layouts that can be cleared without a guess
    "certify": "play.boards.certify",  # the proof of that, step by step
    "Certificate": "play.boards.certificate",
    "verify": "play.boards.verify",  # checks it by means of its own
    "SapperError": "errors",  # the base of every error raised on purpose
}

__all__ = [
    "AGENTS",
    "PRESETS",
    "Agent",
    "Certificate",
    "Channel",
    "Contradiction",
    "Decision",
    "Game",
    "Layout",
    "Observation",
    "Outcome",
    "Posterior",
    "Record",
    "Rules",
    "SapperError",
    "TooHard",
    "Topology",
    "__version__",
    "best_cell",
    "board_metrics",
    "certify",
    "generate_layout",
    "generate_no_guess",
    "make_agent",
    "mine_probabilities",
    "play_match",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'sapper' has no attribute {name!r}")
    value = getattr(import_module(f"sapper.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
