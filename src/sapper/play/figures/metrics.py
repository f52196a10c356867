"""How much work a layout is: openings, islands and 3BV (Bechtel's Board Benchmark Value).

An *opening* is a connected group of zeros with the numbers around it: one click opens it. The safe cells
that belong to no opening form *islands*; each of them costs a click of its own. 3BV is the number of
openings plus those cells: the fewest left clicks that clear the board without flags.

>>> from sapper.layout import Layout
>>> board_metrics(Layout.parse("*----/----*"))
BoardMetrics(bbbv=3, openings=1, islands=2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.topology import Topology


UNSEEN, NO_MEMBER = -2, -1  # while groups are numbered


@dataclass(frozen=True, slots=True)
class BoardMetrics:
    """The usual measures of a layout."""

    bbbv: int  # "3BV"; a Python name cannot begin with a digit
    openings: int
    islands: int


def board_metrics(layout: Layout | str) -> BoardMetrics:
    """Measure a layout, given as it is or as text; linear in its cells."""
    layout = Layout.given(layout)
    board = layout.topology
    mines = layout.mines.ravel()
    zeros = (layout.clues().ravel() == 0) & ~mines
    n_openings, _ = _connected(board, zeros)
    opened_by_zeros = zeros.copy()
    around = board.table[zeros].ravel()
    opened_by_zeros[around[around >= 0]] = True
    single = ~mines & ~opened_by_zeros
    n_islands, _ = _connected(board, single)
    return BoardMetrics(n_openings + int(np.count_nonzero(single)), n_openings, n_islands)


def group_openings(layout: Layout) -> tuple[NDArray[np.int32], list[tuple[int, ...]]]:
    """Number the openings: the one of each zero (-1: no zero), and for every cell those that uncover it."""
    board = layout.topology
    zeros = (layout.clues().ravel() == 0) & ~layout.mines.ravel()
    _, group = _connected(board, zeros)
    uncovered_by: list[tuple[int, ...]] = [()] * board.n_cells
    for zero in np.flatnonzero(zeros).tolist():
        own = int(group[zero])
        for cell in (zero, *board.neighbours_of(zero)):
            if own not in uncovered_by[cell]:
                uncovered_by[cell] = (*uncovered_by[cell], own)
    return group, uncovered_by


def _connected(board: Topology, members: NDArray[np.bool_]) -> tuple[int, NDArray[np.int32]]:
    """Number the groups of member cells that touch: how many, and the group of each cell (-1: none)."""
    # Lists, since single elements of an array take Python several times as long to look at. The table has a -1 where a
    # cell has no more neighbours, and the last place of `group` is there for it.
    group = [*np.where(members, UNSEEN, NO_MEMBER).tolist(), NO_MEMBER]
    cells = np.flatnonzero(members)
    around = dict(zip(cells.tolist(), board.table[cells].tolist(), strict=True))
    n_groups = 0
    for start in around:
        if group[start] != UNSEEN:
            continue
        group[start] = n_groups
        stack = [start]
        while stack:
            for neighbour in around[stack.pop()]:
                if group[neighbour] == UNSEEN:
                    group[neighbour] = n_groups
                    stack.append(neighbour)
        n_groups += 1
    return n_groups, np.array(group[:-1], dtype=np.int32)
