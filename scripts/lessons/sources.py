"""Where the puzzles of lessons come from: seeds, one after the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from scripts.lessons.games import positions

from sapper.errors import GaveUp
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import FLAG, Observation
from sapper.train import puzzle, read_board, what_follows
from sapper.train.making import level_puzzle
from sapper.train.positions import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sapper.topology import Cell
    from sapper.train import Kind, Puzzle

    Source = Callable[[str], Iterator[Puzzle]]

_OTHER_GAMES = 1000  # the seed to start from, far from the examples, which puzzles should not look like


def of_kind(kind: Kind, start: int = 0) -> Source:
    """Puzzles as `sapper.train.puzzle` makes them; where good ones are rare, from a seed that was searched for."""

    def make(board: str) -> Iterator[Puzzle]:
        for seed in count(start):
            try:
                yield puzzle(kind, seed, board=board)
            except GaveUp:
                continue

    return make


def first_steps(board: str) -> Iterator[Puzzle]:
    """A number finds its mines, and another one then makes a cell safe."""
    for position in positions(board, _OTHER_GAMES):
        safe, mines = what_follows(position, "single")
        if safe:
            yield _single(Moment(position, safe, mines), board)


def beside_flags(board: str) -> Iterator[Puzzle]:
    """Every mine that single numbers prove has its flag, and some number has found all of its mines."""
    for position in positions(board, _OTHER_GAMES):
        safe, mines = what_follows(position, "single")
        if safe and mines:
            yield _single(Moment(_with_flags(position, mines), safe, ()), board)


def _with_flags(position: Observation, mines: tuple[Cell, ...]) -> Observation:
    cells = position.cells.copy()
    for cell in mines:
        cells[cell] = FLAG
    return replace(position, cells=cells)


def _single(moment: Moment, board: str) -> Puzzle:
    made = level_puzzle(moment, "single", mine_probabilities(moment.position))
    return replace(made, rules=str(read_board(board)), seed=None)
