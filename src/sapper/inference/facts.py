"""What is known so far of a board in play, updated as cells open: the memory of all reasoning.

Sets of cells are Python integers, bit i for cell i: unions, differences and subset tests are single operations, and
what a clue still says is computed on demand.

>>> from sapper.observation import Observation
>>> facts = Facts(Observation.parse("1#/## 1"))
>>> facts.statement(0)
(14, 1, 1)
>>> cells_of(14)
[1, 2, 3]
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sapper.channel import SOFT_KINDS
from sapper.errors import InputError
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import Topology

# Cells among which the number of mines lies between two bounds: the cells as bits, fewest, most. The bounds of an exact
# clue are equal; an optimistic one gives only the lower, a cautious one only the upper; a liar gives both, a step away.
Bounded = tuple[int, int, int]


# A set of cells is as long as the board, and there is one per cell: 100 MB on the largest board allowed.
MAX_CELLS = 40_000


class Facts:
    """Cells known to be mines or safe, what the clues say, and which clues say something new."""

    def __init__(self, observation: Observation) -> None:
        self.board: Topology = observation.topology
        if self.board.n_cells > MAX_CELLS:
            raise InputError(
                f"Reasoning step by step is for boards of at most {MAX_CELLS:,} cells, not {self.board.n_cells:,}."
            )
        self.channel = observation.channel
        self.total = observation.total
        self.neighbours, self.around, self.near = _neighbourhoods(self.board)
        self.unknown = (1 << self.board.n_cells) - 1  # hidden and undecided
        self.mines = 0  # exploded or proved
        self.safe: dict[int, None] = {}  # proved safe and still hidden, oldest first
        self.clues: dict[int, tuple[int, int]] = {}  # cell → fewest and most mines around it
        self.touched = 0  # clues that may say more than when they were last examined
        self._open_clues = 0  # all clues, as a set
        self.opened: list[int] = []  # cells that opened or exploded in the last observation
        self.observation = observation
        self._cells: NDArray[np.int8] = np.full(self.board.n_cells, HIDDEN, dtype=np.int8)
        self.take(observation)

    def take(self, observation: Observation) -> bool:
        """Read what is new; return False, and read nothing, if this observation cannot follow the last one."""
        if observation.topology is not self.board or observation.total != self.total:
            return False
        if observation.channel is not self.channel and observation.channel != self.channel:
            return False
        cells = observation.cells.ravel()
        changed = (cells != self._cells).nonzero()[0]
        # Hidden cells open, and a silent one may show a clue; anything else is another game or an undone move.
        for was, now in zip(self._cells[changed].tolist(), cells[changed].tolist(), strict=True):
            if was >= 0 or was == EXPLODED or (was == NO_CLUE and now < 0):
                return False
        self.observation = observation
        self.opened = []
        touched = 0
        for cell, code in zip(changed.tolist(), cells[changed].tolist(), strict=True):
            if code in (HIDDEN, FLAG):
                continue
            self.opened.append(cell)
            bit = 1 << cell
            if code == EXPLODED:
                self.mines |= bit
            elif code >= 0:
                self.clues[cell] = self._bounds(cell, code)
                self._open_clues |= bit
                touched |= bit
            if code != EXPLODED and self.mines & bit:
                self.mines ^= bit  # it was wrongly taken for a mine
            if self.unknown & bit:
                self.unknown ^= bit
                touched |= self.around[cell]
            else:
                self.safe.pop(cell, None)
        self.touched |= touched & self._open_clues
        self._cells = cells
        return True

    def learn(self, cell: int, is_mine: bool) -> None:
        """Note that a cell was proved to be a mine or safe."""
        bit = 1 << cell
        self.unknown &= ~bit
        if is_mine:
            self.mines |= bit
        else:
            self.safe[cell] = None
        self.touched |= self.around[cell] & self._open_clues

    def statement(self, clue: int) -> Bounded:
        """Return what an open clue says of the unknown cells around it."""
        around = self.around[clue]
        low, high = self.clues[clue]
        known = (around & self.mines).bit_count()
        return around & self.unknown, low - known, high - known

    def statements(self, clues: Iterable[int]) -> dict[int, Bounded]:
        """Return what these clues say, without those that have no unknown cells."""
        said = {clue: self.statement(clue) for clue in clues}
        return {clue: one for clue, one in said.items() if one[0]}

    def overlapping(self, clue: int) -> list[int]:
        """Return the other clues that share an unknown cell with this one, ascending."""
        mask = self.around[clue] & self.unknown
        clues, around = self.clues, self.around
        return [other for other in self.near[clue] if other in clues and around[other] & mask]

    def connected(self, clues: Iterable[int]) -> list[int]:
        """Return these clues and all that are connected with them through unknown cells, ascending."""
        reached = {clue for clue in clues if self.around[clue] & self.unknown}
        waiting = list(reached)
        while waiting:
            for other in self.overlapping(waiting.pop()):
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return sorted(reached)

    def everything(self) -> Bounded | None:
        """Return the total as a statement about all unknown cells, if it is known."""
        if self.total is None:
            return None
        left = self.total - self.mines.bit_count()
        return self.unknown, left, left

    def shown(self, cell: int) -> int:
        """Return the code that a cell shows."""
        return int(self._cells[cell])

    def _bounds(self, cell: int, shown: int) -> tuple[int, int]:
        if self.channel.kind not in SOFT_KINDS:
            return shown, shown
        possible = np.flatnonzero(self.channel.likelihood(int(self.board.degree[cell]))[shown])
        return int(possible[0]), int(possible[-1])


def cells_of(mask: int) -> list[int]:
    """Return the cells of a set, ascending."""
    if mask.bit_count() > 24:
        # One pass over the digits costs less than many operations on long integers.
        return [cell for cell, digit in enumerate(reversed(bin(mask))) if digit == "1"]
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cells


@lru_cache(maxsize=4)
def _neighbourhoods(board: Topology) -> tuple[list[tuple[int, ...]], list[int], list[tuple[int, ...]]]:
    """Return by cell: its neighbours, the same as a set, and the cells that may share neighbours with it."""
    neighbours = [board.neighbours_of(cell) for cell in range(board.n_cells)]
    around = [sum(1 << other for other in others) for others in neighbours]
    near = [
        tuple(sorted({second for first in others for second in (*neighbours[first], first)} - {cell}))
        for cell, others in enumerate(neighbours)
    ]
    return neighbours, around, near
