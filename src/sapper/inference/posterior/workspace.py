"""Memory for the engine's kernels: allocated once, grown when a position needs more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

from sapper import kernels
from sapper.errors import OutOfTime, TooHard, check_type
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
from sapper.workers import note_stoppable

Made = TypeVar("Made")

# Pools that a kernel may find too small, and the bytes of an element.
_POOLS = {
    STATES: ("states", 24),
    LINKS: ("links", 4),
    WEIGHTS: ("weights", 12),
    SLOTS: ("slots", 56),
    PRODUCTS: ("products", 8),
    BACKWARD: ("backward", 12),
}
_BYTES_PER_CELL = 540  # of all arrays by cell, clue or box together
_BYTES_KEPT = 2**25  # of pools that grew for one position; larger ones are freed, unless the board is as large


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of an exact sum: ``states`` bounds the time, ``megabytes`` the memory.

    The default allows ten million states and 2 GB, a few seconds of work. Positions of real games need hundreds of
    states; only wide lattices of isolated clues come near the limit.
    """

    states: int = 10_000_000
    megabytes: int = 2_000


USUAL_BUDGET = Budget()


def check_budget(budget: Budget | None) -> Budget:
    """Return the budget, or the default for None; raise `InputError` for anything else."""
    if budget is None:
        return USUAL_BUDGET
    check_type(budget, Budget, "a Budget")
    return budget


def cache_in_thread(size: int) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Return a decorator like `lru_cache` with a cache for each thread.

    It is for memory that kernels write to: they release the interpreter's lock, so threads must not share it.
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


class GrowingWorkspace(kernels.Workspace):
    """The engine's memory for boards of up to ``n_cells`` cells, within a budget. Not thread-safe."""

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
        self._room, self.has_grown = self._usual_room, False
        self.make_room(**self._room, noisy=soft)
        note_stoppable(self)

    @property
    def n_bytes(self) -> int:
        """The approximate memory in use."""
        return self._n_bytes_for(self._room)

    def grow(self, status: int) -> None:
        """Enlarge the pool that a kernel found too small, or raise `TooHard`, or `OutOfTime` if it was stopped."""
        if status == STOPPED:
            raise OutOfTime("The exact calculation ran out of time.")
        if status == TOO_WIDE:
            raise TooHard(
                f"More than {2 * NIBBLES_PER_WORD} clues are open at once, too many for an exact sum.", self.widest
            )
        if status == OUT_OF_RANGE:
            raise TooHard("The weights of the layouts differ by more than the engine can count.", self.widest)
        pool, _ = _POOLS[self.short_of]
        # The sum starts over each time, so the pool grows fast while the budget allows it.
        room, wanted = self._room[pool], self.wanted
        limit = self._budget.states if self.short_of == STATES else wanted
        for size in (max(4 * room, wanted), max(2 * room, wanted), limit):
            larger = {**self._room, pool: size}
            n_bytes = self._n_bytes_for(larger)
            if room < size and larger["states"] <= self._budget.states and n_bytes <= self._budget.megabytes * 2**20:
                self._room, self.has_grown = larger, True
                # Old pools are freed first: both together would exceed the budget.
                self.make_room(1, 1, 1, 1, 1, 1, noisy=False)
                self.make_room(**larger, noisy=self._is_soft)
                return
        raise TooHard(
            f"The exact sum takes more than {self._budget.states:,} states or {self._budget.megabytes:,} MB; "
            f"{self.widest} clues are open at once.",
            self.widest,
        )

    def give_back(self) -> None:
        """Free what a hard position took beyond the usual."""
        kept = max(_BYTES_KEPT, _BYTES_PER_CELL * self.width)
        if self.has_grown and self._n_pool_bytes_for(self._room) > kept:
            self._room, self.has_grown = self._usual_room, False
            self.make_room(**self._room, noisy=self._is_soft)

    def _n_bytes_for(self, room: dict[str, int]) -> int:
        return self._n_pool_bytes_for(room) + _BYTES_PER_CELL * self.width

    def _n_pool_bytes_for(self, room: dict[str, int]) -> int:
        pools = sum(room[pool] * size for pool, size in _POOLS.values())
        return pools + (8 * room["links"] if self._is_soft else 0)
