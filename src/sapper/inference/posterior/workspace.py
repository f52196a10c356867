"""Memory for the engine's kernels: allocated once per board size, grown when a position needs more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.errors import OutOfTime, TooHard
from sapper.kernels.codes import (
    MAX_DEGREE,
    MORE_BEHIND,
    MORE_LINKS,
    MORE_PRODUCTS,
    MORE_SLOTS,
    MORE_STATES,
    MORE_WEIGHTS,
    SLOTS_PER_WORD,
    STOPPED,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Pools that a kernel may ask more room for, and the bytes of an element.
_POOLS = {
    MORE_STATES: ("states", 24),
    MORE_LINKS: ("links", 4),
    MORE_WEIGHTS: ("weights", 8),
    MORE_SLOTS: ("slots", 56),
    MORE_PRODUCTS: ("products", 8),
    MORE_BEHIND: ("behind", 8),
}
_BYTES_OF_ANSWERS = 2**16  # answers about small boards are made room for together
_MOST_ROOMS = 64
_BYTES_BY_CELL = 510  # of all arrays by cell, clue or box together


@dataclass(frozen=True, slots=True)
class Budget:
    """How far an exact sum may go: states bound the time, megabytes the memory.

    The default allows some ten million states and 2 GB, a few seconds of work. Positions of real games need
    hundreds of states; only wide lattices of isolated clues come near the line.
    """

    states: int = 10_000_000
    megabytes: int = 2_000


USUAL_BUDGET = Budget()


class _Room:
    """Room for the answers about some positions of a board, all of it made at once.

    To make arrays for each answer would take as long as a small position does.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.most = max(1, _BYTES_OF_ANSWERS // (9 * math.prod(shape)))
        self.used = 0
        self.verdicts, self.chances = np.empty((self.most, *shape), dtype=np.int8), np.empty((self.most, *shape))
        self.answers = kernels.Answers(self.verdicts.reshape(-1), self.chances.reshape(-1))
        # Others may read them.
        self.verdicts.flags.writeable = False
        self.chances.flags.writeable = False


class Workspace(kernels.Workspace):
    """The engine's memory for boards of up to so many cells, within a budget. Not for two threads at once."""

    def __init__(self, n_cells: int, soft: bool, budget: Budget = USUAL_BUDGET, remembers: bool = False) -> None:
        super().__init__(n_cells, MAX_DEGREE, remembers)
        self.most_cells = n_cells
        self._is_soft = soft
        self._budget = budget
        # What is remembered takes room of its own.
        larger = 16 if remembers else 1
        self._room = {
            "states": 1024 * larger,
            "links": 2048 * larger,
            "weights": 4096 * larger,
            "slots": 256,
            "products": 10 * self.width,
            "behind": 2048,
        }
        self.make_room(**self._room, soft=soft)
        self._rooms: dict[tuple[int, ...], _Room] = {}

    def next_answer(self, cells: NDArray[np.int8]) -> tuple[kernels.Position, NDArray[np.int8], NDArray[np.float64]]:
        """Return a position for the kernels, and where its verdicts and chances will be: arrays for others to read."""
        room = self._rooms.get(cells.shape)
        if room is None or room.used == room.most:
            if len(self._rooms) == _MOST_ROOMS:
                self._rooms.clear()
            room = self._rooms[cells.shape] = _Room(cells.shape)
        at = room.used
        room.used = at + 1
        room.answers.turn_to(cells.reshape(-1), at)
        return room.answers, room.verdicts[at], room.chances[at]

    @property
    def n_bytes(self) -> int:
        """The memory in use, about: what has grown with positions, and what is there by cell."""
        return self._n_bytes_for(self._room)

    def grow(self, status: int) -> None:
        """Make room for what a kernel found too small, or raise `TooHard`; `OutOfTime` if it was stopped."""
        if status == STOPPED:
            raise OutOfTime("The exact sum takes longer than there was time for.", self.widest)
        if status not in _POOLS:
            raise TooHard(
                f"More than {2 * SLOTS_PER_WORD} clues are open at once, too many for an exact sum.", self.widest
            )
        pool, _ = _POOLS[status]
        # The sum begins again from the start each time, so the pool grows by a good deal while there is room.
        for times in (4, 2):
            larger = {**self._room, pool: times * self._room[pool]}
            if status == MORE_PRODUCTS:
                larger[pool] = max(larger[pool], self.wanted)
            if larger["states"] <= self._budget.states and self._n_bytes_for(larger) <= self._budget.megabytes * 2**20:
                self._room = larger
                # The old pools go first: both together would exceed the budget.
                self.make_room(1, 1, 1, 1, 1, 1, soft=False)
                self.make_room(**larger, soft=self._is_soft)
                return
        raise TooHard(
            f"The exact sum takes more than {self._budget.states:,} states or {self._budget.megabytes:,} MB; "
            f"{self.widest} clues are open at once.",
            self.widest,
        )

    def _n_bytes_for(self, room: dict[str, int]) -> int:
        pools = sum(room[pool] * size for pool, size in _POOLS.values())
        return pools + (8 * room["links"] if self._is_soft else 0) + _BYTES_BY_CELL * self.width
