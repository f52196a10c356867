"""Positions of real games in which something has to be guessed."""

from __future__ import annotations

import math

from sapper.agents.registry import make_agent
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.play.match import steps
from sapper.rules import Rules
from sapper.world.game import Game


def guessing_positions(text: str, seeds: range, most: int) -> list[Observation]:
    """Positions of games in which nothing is certain and few layouts are left."""
    found = []
    for seed in seeds:
        for step in steps(Game(Rules.parse(text), seed), make_agent("exact", seed)):
            posterior = mine_probabilities(step.before)
            if not posterior.safe and 0.5 < posterior.log_weight <= math.log(most) and (step.before.cells >= 0).any():
                found.append(step.before)
    return found
