"""Sapper plays, solves, explains, generates and studies Minesweeper.

Cells are ``(row, col)``, counted from 0. A position is one line of text: ``#`` is hidden, a digit is a clue, ``F`` is a
flag, and the number of mines follows the rows if it is known.

>>> import sapper
>>> found = sapper.mine_probabilities("01#/02#/02# 2")
>>> found.safe, found.mines
(((0, 2),), ((1, 2), (2, 2)))
>>> print(sapper.explain("1#/11", 0, 1))
(0, 1) is a mine because of the 1 at (0, 0).
  1. The 1 at (0, 0) has only (0, 1) left for its mine, so (0, 1) is a mine.
>>> game = sapper.Game("beginner", seed=5)
>>> _ = game.open(0, 0)
>>> game
<Game 9x9/10, seed 5: playing, 8 of 71 safe cells open>
>>> sapper.make_agent("exact").decide(game.observation).reason
'Opened (2, 0): the 1 at (1, 1) already touches 1 mine.'

Analyse a position: `mine_probabilities` (many at once: `mine_probabilities_many`), `explain`, `best_cell`,
`judge_guess`; positions are `Observation`s.
Play: `Rules`, `Game`, `start_game`, `make_agent`, `play_match`, `review`.
Boards: `generate_layout`, `generate_no_guess`, `certify`, `verify`, `board_metrics`, `Layout`.
Files: `read` and `write` positions, boards and games of many programs.
Practise and experiment: `train`, `sweep`.

Read on in docs/index.md; docs/tutorials/position.md analyses a first position step by step. The names below are loaded
when they are first used, so ``import sapper`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sapper.version import __version__

if TYPE_CHECKING:
    from sapper import train
    from sapper.agents.agent import Agent, Decision
    from sapper.agents.best import best_cell
    from sapper.agents.registry import AGENTS, make_agent
    from sapper.channel import Channel
    from sapper.errors import Contradiction, InputError, SapperError, TooHard
    from sapper.experiments.results import Results
    from sapper.experiments.sweep import sweep
    from sapper.inference.forced import judge_guess
    from sapper.inference.posterior.batch import Posteriors, mine_probabilities_many
    from sapper.inference.posterior.exact import Engine, Posterior, mine_probabilities
    from sapper.inference.proofs.explain import Explanation, explain
    from sapper.layout import Layout
    from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
    from sapper.play.dealt import start_game
    from sapper.play.match import play_match
    from sapper.play.metrics import board_metrics
    from sapper.play.noguess.certificate import Certificate
    from sapper.play.noguess.certify import certify
    from sapper.play.noguess.generate import generate_no_guess
    from sapper.play.noguess.verify import verify
    from sapper.play.reading import read, write
    from sapper.play.record import Record
    from sapper.play.review.review import review_record as review
    from sapper.rules import PRESETS, Rules
    from sapper.topology import Topology
    from sapper.world.game import Game, Outcome
    from sapper.world.generation import generate_layout

# Every public name with its module, and its name there if that differs.
_HOME = {
    "Rules": "rules",  # the description of a game
    "PRESETS": "rules",  # beginner, intermediate, expert and the boards of the reports
    "Channel": "channel",  # how clues are shown: exact, withheld, optimistic, cautious, liar
    "Topology": "topology",  # which cells touch
    "Observation": "observation",  # what a player sees
    "HIDDEN": "observation",  # codes of its cells; 0 … 8 are clues
    "FLAG": "observation",
    "EXPLODED": "observation",
    "NO_CLUE": "observation",
    "Layout": "layout",  # a full placement of mines
    "generate_layout": "world.generation",
    "Game": "world.game",  # one playthrough
    "Outcome": "world.game",
    "start_game": "play.dealt",  # the game that rules ask for: standard, fair, kind or cruel
    "mine_probabilities": "inference.posterior.exact",  # the exact engine
    "Posterior": "inference.posterior.exact",  # mine probabilities and certain cells
    "mine_probabilities_many": "inference.posterior.batch",  # for thousands of positions at once
    "Posteriors": "inference.posterior.batch",
    "Engine": "inference.posterior.exact",  # with fixed settings, for a game in progress
    "explain": "inference.proofs.explain",  # why a cell is safe or a mine, in words
    "Explanation": "inference.proofs.explain",
    "judge_guess": "inference.forced",  # whether a guess is forced
    "best_cell": "agents.best",  # the cell to open, its win chance, the candidates
    "Contradiction": "errors",  # no layout fits
    "TooHard": "errors",  # the exact sum exceeds the budget
    "InputError": "errors",  # invalid input
    "SapperError": "errors",  # the base of every error raised on purpose
    "Agent": "agents.agent",  # decides on observations
    "Decision": "agents.agent",  # a cell, its risk, the reason
    "AGENTS": "agents.registry",  # every agent by name
    "make_agent": "agents.registry",
    "play_match": "play.match",  # game x agent → record
    "Record": "play.record",  # what happened, replayable
    "review": "play.review.review:review_record",  # a verdict on every move of a record
    "sweep": "experiments.sweep",  # agents x boards x games → results
    "Results": "experiments.results",  # a table, data frames, a figure
    "read": "play.reading",  # files of many programs
    "write": "play.reading",
    "board_metrics": "play.metrics",  # 3BV, openings, islands
    "generate_no_guess": "play.noguess.generate",  # no-guess boards
    "certify": "play.noguess.certify",  # their proof, step by step
    "Certificate": "play.noguess.certificate",
    "verify": "play.noguess.verify",  # checks the proof independently
    "train": "train",  # puzzles with proofs and graded answers
}

__all__ = [
    "AGENTS", "EXPLODED", "FLAG", "HIDDEN", "NO_CLUE", "PRESETS", "Agent", "Certificate", "Channel", "Contradiction",
    "Decision", "Engine", "Explanation", "Game", "InputError", "Layout", "Observation", "Outcome", "Posterior",
    "Posteriors", "Record", "Results", "Rules", "SapperError", "TooHard", "Topology", "__version__", "best_cell",
    "board_metrics", "certify", "explain", "generate_layout", "generate_no_guess", "judge_guess", "make_agent",
    "mine_probabilities", "mine_probabilities_many", "play_match", "read", "review", "start_game", "sweep", "train",
    "verify", "write",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'sapper' has no attribute {name!r}")
    module, _, there = _HOME[name].partition(":")
    found = import_module(f"sapper.{module}")
    value = found if module == name else getattr(found, there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
