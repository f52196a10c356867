"""Small boards of every shape, somebody's own ones too: few enough hidden cells to list all layouts."""

from __future__ import annotations

import numpy as np
from own_boards import random_board

from sapper.channel import Channel
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation
from sapper.topology import OWN, Topology, topology
from sapper.world.generation import shown_clues

MAX_HIDDEN = 8


def board_of(shape: str, rng: np.random.Generator) -> Topology:
    """A small board; one of somebody's own has any two cells touch with some chance, at most fifteen each."""
    rows, cols = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    if shape != OWN:
        return topology(shape, rows, cols)  # type: ignore[arg-type]
    return random_board(rows, cols, float(rng.choice([0.2, 0.5, 0.9])), rng)


def small_position(
    shape: str, channel: Channel, rng: np.random.Generator, share_of_nonsense: float = 0.25
) -> Observation:
    """A position of a random layout; of a share of them the clues are anything, and mostly nothing fits."""
    board = board_of(shape, rng)
    layout = Layout(board, rng.random(board.n_cells) < rng.choice([0.15, 0.3, 0.5]))
    shown = shown_clues(layout, channel, int(rng.integers(2**32)))
    if rng.random() < share_of_nonsense:
        shown = np.array([rng.integers(0, degree + 1) for degree in board.degree.tolist()], dtype=np.int8)
    cells = np.full(board.n_cells, HIDDEN, dtype=np.int8)
    for index in rng.permutation(board.n_cells)[int(rng.integers(MAX_HIDDEN + 1)) :].tolist():
        cells[index] = EXPLODED if layout.mines.flat[index] else shown[index]
    cells[(cells == HIDDEN) & (rng.random(board.n_cells) < 0.1)] = FLAG
    return Observation(board, cells, layout.n_mines if rng.random() < 0.5 else None, channel)
