"""Perfect play where few layouts are left: the exact number of layouts that the best strategy wins.

A state of knowledge is a set of layouts: those that fit everything seen. Opening a cell loses the layouts that have a
mine there and splits the others by the clue it shows. Cells that are clear in all of them are opened at once, which can
only help; so the set alone determines which cells are open, and equal sets are one state however they were reached.

Sets of layouts are Python integers, bit i for layout i: a split is one conjunction, and the memory is a dictionary.
Exponential at worst; thousands of layouts on small boards, hundreds in the end of a large game.

>>> from sapper.observation import Observation
>>> solve_position(Observation.parse("1#/#1 1"))
Optimum(wins=1, layouts=2, best=((0, 1), (1, 0)), by_cell={(0, 1): 1, (1, 0): 1})
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError, TooHard
from sapper.inference.search import Heuristics, search
from sapper.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.observation import Observation
    from sapper.topology import Topology

Cell = tuple[int, int]

MOST_LAYOUTS = 20_000
MOST_STATES = 3_000_000


@dataclass(frozen=True, slots=True)
class Optimum:
    """What perfect play is worth."""

    wins: int  # layouts that the best first cell wins
    layouts: int  # out of so many
    best: tuple[Cell, ...]  # the cells that reach it
    by_cell: dict[Cell, int]  # wins of every cell looked into; less than the best only says "less"


class Solver:
    """Perfect play over a list of layouts of one board; what was worked out is remembered from call to call."""

    def __init__(self, board: Topology, layouts: Sequence[Layout], most_states: int = MOST_STATES) -> None:
        self.n_layouts = len(layouts)
        self.everything = (1 << self.n_layouts) - 1
        self._most_states = most_states
        self._values: dict[int, int] = {}
        mines = np.array([layout.mines.ravel() for layout in layouts], dtype=np.bool_).reshape(-1, board.n_cells)
        clues = np.array([layout.clues().ravel() for layout in layouts], dtype=np.int8).reshape(-1, board.n_cells)
        self.mined = [_as_set(mines[:, cell]) for cell in range(board.n_cells)]
        # By cell: the layouts in which it shows each clue that it can show.
        self.shows = [
            [_as_set(~mines[:, cell] & (clues[:, cell] == clue)) for clue in np.unique(clues[~mines[:, cell], cell])]
            for cell in range(board.n_cells)
        ]

    @property
    def n_states(self) -> int:
        """States worked out so far."""
        return len(self._values)

    def value(self, layouts: int) -> int:
        """How many of these layouts the best strategy wins."""
        if layouts.bit_count() <= 1:
            return layouts.bit_count()
        known = self._values.get(layouts)
        if known is None:
            known = self._work_out(layouts)
            if len(self._values) >= self._most_states:
                raise TooHard(f"Perfect play takes more than {self._most_states:,} states here.", 0)
            self._values[layouts] = known
        return known

    def _work_out(self, layouts: int) -> int:
        n_layouts = layouts.bit_count()
        risky: list[tuple[int, int]] = []
        for cell, mined in enumerate(self.mined):
            n_mined = (layouts & mined).bit_count()
            if n_mined:
                risky.append((n_mined, cell))
                continue
            # Clear in all of them: it is opened, and whatever it shows is known.
            parts = [part for shown in self.shows[cell] if (part := layouts & shown)]
            if len(parts) > 1:
                return sum(self.value(part) for part in parts)
        best = 0
        risky.sort()
        for n_mined, cell in risky:
            # No more can be won than survives the opening.
            if n_layouts - n_mined <= best:
                break
            best = max(best, self._open(layouts, cell, best))
        return best

    def wins_at(self, layouts: int, cell: int, floor: int = -1) -> int:
        """How many of these layouts are won if this cell is opened first; given up at ``floor`` or below."""
        return self._open(layouts, cell, floor)

    def _open(self, layouts: int, cell: int, floor: int) -> int:
        parts = [part for shown in self.shows[cell] if (part := layouts & shown)]
        # A cell that shows the same in every layout in which it is clear tells nothing more than that it is clear.
        left = sum(part.bit_count() for part in parts)
        won = 0
        for part in parts:
            if won + left <= floor:
                return won + left
            left -= part.bit_count()
            won += self.value(part)
        return won


def solve_position(observation: Observation, most_layouts: int = MOST_LAYOUTS) -> Optimum:
    """Return what perfect play wins from a position with a known total and exact clues; raises `TooHard`."""
    layouts = list_layouts(observation, most_layouts)
    if not layouts:
        raise InputError("No layout fits the position.")
    solver = Solver(observation.topology, layouts)
    hidden = np.flatnonzero(observation.closed.ravel()).tolist()
    return _best_of(solver, observation.topology, hidden, dict.fromkeys(hidden, solver.everything), len(layouts))


def solve_board(board: Topology, mines: int, most_layouts: int = MOST_LAYOUTS) -> Optimum:
    """Return what perfect play wins on an empty board whose first cell is safe, and the best first cells.

    >>> from sapper.topology import topology
    >>> best = solve_board(topology("square", 3, 3), 2)
    >>> best.wins, best.layouts
    (24, 28)
    """
    n_cells = board.n_cells
    if not 0 <= mines < n_cells:
        raise InputError(f"A board of {n_cells} cells with a safe first cell holds from 0 to {n_cells - 1} mines.")
    if comb(n_cells, mines) > most_layouts:
        raise TooHard(f"There are {comb(n_cells, mines):,} layouts, more than {most_layouts:,}.", 0)
    solver = Solver(board, [Layout.of(board, chosen) for chosen in combinations(range(n_cells), mines)])
    safe = {cell: solver.everything & ~solver.mined[cell] for cell in range(n_cells)}
    return _best_of(solver, board, _unlike_cells(board), safe, comb(n_cells - 1, mines))


def _best_of(solver: Solver, board: Topology, cells: list[int], given: dict[int, int], n_layouts: int) -> Optimum:
    by_cell: dict[Cell, int] = {}
    best = 0
    for cell in sorted(cells, key=lambda one: (solver.mined[one] & given[one]).bit_count()):
        won = solver.wins_at(given[cell], cell, best - 1)
        by_cell[board.cell(cell)] = won
        best = max(best, won)
    winners = tuple(sorted(cell for cell, won in by_cell.items() if won == best))
    return Optimum(best, n_layouts, winners, by_cell)


def list_layouts(observation: Observation, most: int = MOST_LAYOUTS) -> tuple[Layout, ...]:
    """Return every layout that fits a position, if there are not too many; raises `TooHard` otherwise."""
    if observation.total is None:
        raise InputError("Perfect play needs the number of mines.")
    found = search(observation, Heuristics(), find_all=True, node_limit=50 * most)
    if not found.finished or len(found.layouts) > most:
        raise TooHard(f"More than {most:,} layouts fit.", 0)
    return found.layouts


def _as_set(chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int:
    """The layouts chosen by a row of booleans, as an integer."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")


def _unlike_cells(board: Topology) -> list[int]:
    """One cell of each kind: others are its mirror images. On a torus all are alike; hexagons are not folded."""
    if board.shape == "torus":
        return [0]
    if board.shape == "hex":
        return list(range(board.n_cells))
    return [
        row * board.cols + col
        for row in range((board.rows + 1) // 2)
        for col in range((board.cols + 1) // 2)
        if board.rows != board.cols or row <= col
    ]
