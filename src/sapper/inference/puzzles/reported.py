"""The search of report 004 as its program does it, faults included.

Only mines branch, a cell follows up at most so many others, first in first out, the first one stays in the queue, and
five of the eight neighbours are checked before a mine is placed.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Literal

import numpy as np

from sapper.errors import InputError
from sapper.inference.puzzles.heuristics import Found
from sapper.layout import Layout

if TYPE_CHECKING:
    from sapper.observation import Observation

# The neighbours at which the report's program looks before it places a mine: it lists eight and repeats three.
_LOOKED_AT = ((0, -1), (-1, -1), (1, -1), (0, 1), (-1, 1))


def search_as_reported(
    observation: Observation,
    children: int = 4,
    node_limit: int = 100_000,
    *,
    memory: bool = False,
    order: Literal["queue", "fewest", "most"] = "queue",
) -> Found:
    """The report's own search, faults included, on a square board with a known total.

    ``memory`` and ``order`` are what it would try next: not to place mines again that came to nothing together, and to
    follow up the cell with the fewest other unassigned cells around it, or with the most, in place of the first.
    The report does not say how many children a cell may have, nor that its first cell stays in the queue; with four,
    and with that slip, its counts of 5374, 1892, more than 30000 and 1843 nodes come out to the last one.
    """
    if observation.total is None or observation.topology.shape != "square":
        raise InputError("The report's search needs a square board and a known number of mines.")
    cols = observation.cols
    hints = {divmod(cell, cols): code for cell, code in enumerate(observation.cells.ravel().tolist()) if code >= 0}
    unassigned = deque((row, col) for row, col in np.argwhere(observation.closed).tolist())
    mines: list[tuple[int, int]] = []  # the cells followed up, one within the other
    n_tried: list[int] = []  # how many others each of them has followed up
    failed: set[frozenset[tuple[int, int]]] = set()
    n_nodes = 0
    solved = False
    finished = True
    cell = unassigned[0] if unassigned else None
    while True:
        if (
            cell is not None
            and not any(hints.get((cell[0] + down, cell[1] + right), 1) <= 0 for down, right in _LOOKED_AT)
            and not (memory and frozenset((*mines, cell)) in failed)
        ):
            if len(mines) >= observation.total and not any(hints.values()):
                solved = True
                break
            if n_nodes == node_limit:
                finished = False
                break
            n_nodes += 1
            mines.append(cell)
            n_tried.append(0)
            _add_around(hints, cell, -1)
        elif mines and cell is not None:
            unassigned.append(cell)
        while mines and (n_tried[-1] == children or not unassigned):
            # Nothing came of this one: it goes to the end of the queue.
            if memory:
                failed.add(frozenset(mines))
            _add_around(hints, mines[-1], 1)
            n_tried.pop()
            given_up = mines.pop()
            if mines:
                unassigned.append(given_up)
        if not mines:
            break
        n_tried[-1] += 1
        cell = _take(unassigned, order)
    layouts = (Layout.of(observation.topology, mines),) if solved else ()
    return Found(layouts, n_nodes, finished, len(layouts))


def _take(unassigned: deque[tuple[int, int]], order: str) -> tuple[int, int]:
    if order == "queue":
        return unassigned.popleft()
    waiting = set(unassigned)

    def n_around(cell: tuple[int, int]) -> int:
        return sum((cell[0] + down, cell[1] + right) in waiting for down in (-1, 0, 1) for right in (-1, 0, 1))

    cell = (min if order == "fewest" else max)(unassigned, key=n_around)
    unassigned.remove(cell)
    return cell


def _add_around(hints: dict[tuple[int, int], int], cell: tuple[int, int], change: int) -> None:
    row, col = cell
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (row + down, col + right) in hints:
                hints[row + down, col + right] += change
