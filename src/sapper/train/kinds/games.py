"""Games in which everything certain is played at once: where they stop, somebody has to guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels import Field, reveal
from sapper.kernels.codes import SAFE
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.play.boards.memory import SearchMemory
from sapper.play.boards.noguess import REASONINGS
from sapper.world.generate import generate_mines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.rules import Rules

_MOST_STARTS, _GAMES_PER_START = 40, 64  # cells to begin with, and games from each
_BATCH = 16  # games that are drawn at once
_STREAM = 4  # of random numbers


def crossroads(rules: Rules, seed: int) -> Iterator[Posterior]:
    """Positions of many games in which nothing is certain any more, one after the other, mines flagged.

    The game goes on with the cell of least risk, if that is clear; else it is lost, and the next one begins. Games that
    nobody has to guess in are most of them on small boards, and compiled code passes them over.
    """
    generator = np.random.PCG64(np.random.SeedSequence((seed, _STREAM)))
    for _ in range(_MOST_STARTS):
        first, *words = generator.random_raw(1 + _GAMES_PER_START).tolist()
        first %= rules.n_cells
        search = SearchMemory(rules, first, REASONINGS.index("count"))
        for at in range(0, _GAMES_PER_START, _BATCH):
            seeds = [word >> 1 for word in words[at : at + _BATCH]]
            for mines, clues in zip(*_draw(rules, seeds, first), strict=True):
                if not search.clears_mines(mines, clues):
                    yield from _stops(rules, mines, clues, first)


def _draw(rules: Rules, seeds: list[int], first: int) -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
    """The mines of some games, and the clues that all of their cells would show: (n_seeds, n_cells)."""
    board = rules.topology
    mines = generate_mines(rules, seeds, board.cell(first))
    # As `Layout.clues` does it, for all at once.
    padded = np.zeros((len(seeds), board.n_cells + 1), dtype=np.bool_)
    padded[:, :-1] = mines
    return mines, np.ascontiguousarray(padded[:, board.table].sum(axis=2, dtype=np.int8))


def _stops(rules: Rules, mines: NDArray[np.bool_], clues: NDArray[np.int8], first: int) -> Iterator[Posterior]:
    """The crossroads of one game.

    Played on an array, since most games lead to no puzzle and have to be quick.
    """
    board = rules.topology
    cells = np.full(board.n_cells, HIDDEN, dtype=np.int8)
    field = Field(cells, clues, np.empty(board.n_cells, dtype=np.int32))
    reveal(field, board.graph, first, True)
    while np.count_nonzero(cells == HIDDEN) > rules.mines:
        posterior = mine_probabilities(Observation.of_game(board, cells, rules.mines, rules.channel))
        safe: list[int] = np.flatnonzero(posterior.verdicts == SAFE).tolist()
        if not safe:
            yield posterior
            number = board.number(posterior.best[0])
            if mines[number]:
                return
            safe = [number]
        for number in safe:
            # A zero may have opened it already.
            if cells[number] == HIDDEN:
                reveal(field, board.graph, number, True)


def with_flags(posterior: Posterior) -> Observation:
    """The position with a flag on every certain mine."""
    seen = posterior.observation
    cells = seen.cells.copy()
    for cell in posterior.mines:
        cells[cell] = FLAG
    return Observation(seen.topology, cells, seen.total, seen.channel)
