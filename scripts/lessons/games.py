"""Positions of real games, for puzzles and examples with single numbers."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from sapper.train import read_board, what_follows
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.observation import Observation


def games(board: str, start: int = 0) -> Iterator[Game]:
    """Games on this board from a seed on, the first cell of each open, without end."""
    rules = read_board(board)
    for seed in count(start):
        game = Game(rules, seed)
        game.open(*rules.topology.cell(seed % rules.n_cells))
        yield game


def positions(board: str, start: int = 0) -> Iterator[Observation]:
    """Yield positions of such games, continued as far as single clues go, one safe cell at a time."""
    for game in games(board, start):
        while game.outcome is Outcome.PLAYING:
            yield game.observation
            safe, _ = what_follows(game.observation, "single")
            if not safe:
                break
            game.open(*safe[0])
