"""Games in which everything certain is played at once: where they stop, somebody has to guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.posterior.engine import Engine
from sapper.observation import FLAG, Observation
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.inference.posterior.exact import Posterior
    from sapper.rules import Rules

_MOST_GAMES = 10_000
_STREAM = 4  # of random numbers


def crossroads(rules: Rules, seed: int) -> Iterator[Posterior]:
    """Positions of many games in which nothing is certain any more, one after the other, mines flagged.

    The game goes on with the cell of least risk, if that is clear; else it is lost, and the next one begins.
    """
    generator = np.random.PCG64(np.random.SeedSequence((seed, _STREAM)))
    engine = Engine()
    for _ in range(_MOST_GAMES):
        word = int(generator.random_raw(1)[0])
        game = Game(rules, word >> 1)
        game.open(*rules.topology.cell(word % rules.n_cells))
        while game.outcome is Outcome.PLAYING:
            posterior = engine.posterior(game.observation)
            if not posterior.safe:
                yield posterior
            for cell in posterior.safe or posterior.best[:1]:
                if game.outcome is Outcome.PLAYING and game.observation.closed[cell]:
                    game.open(*cell)


def with_flags(posterior: Posterior) -> Observation:
    """The position with a flag on every certain mine."""
    seen = posterior.observation
    cells = seen.cells.copy()
    for cell in posterior.mines:
        cells[cell] = FLAG
    return Observation(seen.topology, cells, seen.total, seen.channel)
