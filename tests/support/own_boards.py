"""Boards of one's own for tests: a ring, knights that also step sideways, and cells with fifteen neighbours each."""

from __future__ import annotations

import numpy as np

from sapper.topology import Topology, topology, write_neighbourhood

MOST = 15


def ring(n: int) -> Topology:
    """So many cells in a circle."""
    return Topology.of_neighbours(1, n, [[(cell - 1) % n, (cell + 1) % n] for cell in range(n)])


def mixed(rows: int, cols: int) -> Topology:
    """Knight's moves and sides together: up to twelve neighbours."""
    boards = topology("knight", rows, cols), topology("orthogonal", rows, cols)
    around = [[*boards[0].neighbours_of(cell), *boards[1].neighbours_of(cell)] for cell in range(rows * cols)]
    return Topology.of_neighbours(rows, cols, around)


def crowd(rows: int, cols: int) -> Topology:
    """Every cell touches the seven before and the seven behind, round the board, and the one opposite: fifteen."""
    n = rows * cols
    around = [[(cell + step) % n for step in (*range(-7, 0), *range(1, 8), n // 2)] for cell in range(n)]
    return Topology.of_neighbours(rows, cols, around)


def random_board(rows: int, cols: int, share: float, rng: np.random.Generator) -> Topology:
    """A board on which any two cells touch with this chance, but none more than fifteen."""
    n = rows * cols
    around: list[set[int]] = [set() for _ in range(n)]
    for one in range(n):
        for other in range(one):
            if rng.random() < share and len(around[one]) < MOST and len(around[other]) < MOST:
                around[one].add(other)
                around[other].add(one)
    return Topology.of_neighbours(rows, cols, [sorted(found) for found in around])


def words_of(board: Topology, mines: int) -> str:
    """The text of rules on a board."""
    return f"{board.rows}x{board.cols}/{mines} {write_neighbourhood(board)}"


RING, MIXED, CROWD = words_of(ring(12), 3), words_of(mixed(5, 6), 5), words_of(crowd(4, 6), 4)
OWN_RULES = {"ring": RING, "mixed": MIXED, "crowd": CROWD}
