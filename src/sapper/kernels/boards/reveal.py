"""Open a cell with its cascade: a flood fill over zeros, linear in the opened cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import *


class Field:
    """Boards to open cells on: one, or several of the same size, concatenated."""

    cells: Bytes  # (k n,): what the player sees; a cascade opens HIDDEN cells only
    shown: ConstBytes  # (k n,): the clue that each cell shows once open
    opened: Ints  # (n,) out: the cells of the last cascade, in order; also its queue

    def __init__(self, cells: NDArray[np.int8], shown: NDArray[np.int8], opened: NDArray[np.int32]) -> None:
        self.cells, self.shown, self.opened = view(cells), view(shown), view(opened)


def open_cascade(field: Field, board: Board, base: Int, start: Int, cascade: Flag) -> Int:
    """Open ``start``, a hidden safe cell, with its cascade; return the number of opened cells.

    ``base`` is where the board begins in ``cells`` and ``shown``.
    """
    n_opened: Int = 1
    at: Int = 0
    field.cells[base + start] = field.shown[base + start]
    field.opened[0] = start
    while cascade and at < n_opened:
        cell = field.opened[at]
        at += 1
        if field.shown[base + cell] != 0:
            continue
        for k in range(board.degree[cell]):
            neighbour = board.table[cell, k]
            if field.cells[base + neighbour] == HIDDEN:
                field.cells[base + neighbour] = field.shown[base + neighbour]
                field.opened[n_opened] = neighbour
                n_opened += 1
    return n_opened


@public
def reveal(field: Field, board: Board, start: Int, cascade: Flag) -> Int:
    """Open a hidden safe cell, with its cascade if ``cascade``; return the number of opened cells."""
    with unlocked:
        n_opened = open_cascade(field, board, 0, start, cascade)
    return n_opened
