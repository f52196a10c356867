"""Memory for the engine's kernels: allocated once per board size, grown when a position needs more."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sapper import kernels
from sapper.errors import OutOfTime, TooHard, check_type
from sapper.interrupts import note_stoppable
from sapper.kernels.codes import (
    BACKWARD,
    LINKS,
    MAX_DEGREE,
    NIBBLES_PER_WORD,
    OUT_OF_RANGE,
    PRODUCTS,
    SLOTS,
    STATES,
    STOPPED,
    TOO_WIDE,
    WEIGHTS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

Made = TypeVar("Made")

# Pools that a kernel may ask more room for, and the bytes of an element.
_POOLS = {
    STATES: ("states", 24),
    LINKS: ("links", 4),
    WEIGHTS: ("weights", 12),
    SLOTS: ("slots", 56),
    PRODUCTS: ("products", 8),
    BACKWARD: ("backward", 12),
}
_BYTES_OF_ANSWERS = 2**16  # answers about small boards are made room for together
_MOST_ROOMS = 64
_BYTES_BY_CELL = 540  # of all arrays by cell, clue or box together
_BYTES_KEPT = 2**25  # of pools that grew for one position; what exceeds that is given back after it


@dataclass(frozen=True, slots=True)
class Budget:
    """How far an exact sum may go: states bound the time, megabytes the memory.

    The default allows some ten million states and 2 GB, a few seconds of work. Positions of real games need
    hundreds of states; only wide lattices of isolated clues come near the line.
    """

    states: int = 10_000_000
    megabytes: int = 2_000


USUAL_BUDGET = Budget()


def check_budget(budget: Budget | None) -> Budget:
    """Return a budget that is given, or the usual one; raise `InputError` if it is neither."""
    if budget is None:
        return USUAL_BUDGET
    check_type(budget, Budget, "a Budget")
    return budget


def cache_in_thread(size: int) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Return a decorator like `lru_cache` for memory that kernels write to: every thread gets its own.

    They do so with the interpreter's lock released, so what two threads share is written by both at once.
    """

    def decorate(make: Callable[..., Made]) -> Callable[..., Made]:
        local = threading.local()

        @wraps(make)
        def take(*arguments: Hashable) -> Made:
            if not hasattr(local, "take"):
                local.take = lru_cache(size)(make)
            found: Made = local.take(*arguments)
            return found

        return take

    return decorate


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

    def __init__(self, n_cells: int, soft: bool, budget: Budget = USUAL_BUDGET) -> None:
        super().__init__(n_cells, MAX_DEGREE)
        self.most_cells = n_cells
        self._is_soft = soft
        self._budget = budget
        self._usual_room = {
            "states": 1024,
            "links": 2048,
            "weights": 4096,
            "slots": 256,
            "products": 10 * self.width,
            "backward": 2048,
        }
        self._room = self._usual_room
        self.make_room(**self._room, noisy=soft)
        self._rooms: dict[tuple[int, ...], _Room] = {}
        note_stoppable(self)

    def next_answer(self, cells: NDArray[np.int8]) -> tuple[kernels.Position, NDArray[np.int8], NDArray[np.float64]]:
        """Return a position for the kernels, and where its verdicts and chances will be: arrays for others to read."""
        room = self._rooms.get(cells.shape)
        if room is None or room.used == room.most:
            if len(self._rooms) == _MOST_ROOMS:
                self._rooms.clear()
            room = self._rooms[cells.shape] = _Room(cells.shape)
        at = room.used
        room.used = at + 1
        room.answers.bind(cells.reshape(-1), at)
        return room.answers, room.verdicts[at], room.chances[at]

    @property
    def n_bytes(self) -> int:
        """The memory in use, about: what has grown with positions, and what is there by cell."""
        return self._n_bytes_for(self._room)

    def grow(self, status: int) -> None:
        """Make room for what a kernel found too small, or raise `TooHard`; `OutOfTime` if it was stopped."""
        if status == STOPPED:
            raise OutOfTime("The exact sum takes longer than there was time for.")
        if status == TOO_WIDE:
            raise TooHard(
                f"More than {2 * NIBBLES_PER_WORD} clues are open at once, too many for an exact sum.", self.widest
            )
        if status == OUT_OF_RANGE:
            raise TooHard("The weights of the layouts differ by more than the engine can count.", self.widest)
        pool, _ = _POOLS[self.short_of]
        # The sum begins again from the start each time, so the pool grows by a good deal while there is room.
        for times in (4, 2):
            larger = {**self._room, pool: times * self._room[pool]}
            if self.short_of == PRODUCTS:
                larger[pool] = max(larger[pool], self.wanted)
            if larger["states"] <= self._budget.states and self._n_bytes_for(larger) <= self._budget.megabytes * 2**20:
                self._room = larger
                # The old pools go first: both together would exceed the budget.
                self.make_room(1, 1, 1, 1, 1, 1, noisy=False)
                self.make_room(**larger, noisy=self._is_soft)
                return
        raise TooHard(
            f"The exact sum takes more than {self._budget.states:,} states or {self._budget.megabytes:,} MB; "
            f"{self.widest} clues are open at once.",
            self.widest,
        )

    def give_back(self) -> None:
        """Return the memory that a hard position took, now that it is answered."""
        if self._room is not self._usual_room and self._n_pool_bytes_for(self._room) > _BYTES_KEPT:
            self._room = self._usual_room
            self.make_room(**self._room, noisy=self._is_soft)

    def _n_bytes_for(self, room: dict[str, int]) -> int:
        return self._n_pool_bytes_for(room) + _BYTES_BY_CELL * self.width

    def _n_pool_bytes_for(self, room: dict[str, int]) -> int:
        pools = sum(room[pool] * size for pool, size in _POOLS.values())
        return pools + (8 * room["links"] if self._is_soft else 0)
