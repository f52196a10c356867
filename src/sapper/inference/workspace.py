"""Memory for the engine's kernels: allocated once per board size, grown when a position needs more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.errors import TooHard
from sapper.kernels import workspace as layout

NO_TABLES = np.zeros((1, 9))  # what the kernels are given in place of likelihoods where clues are exact


@dataclass(frozen=True, slots=True)
class Budget:
    """How far an exact sum may go: states bound the time, megabytes the memory.

    The default allows some ten million states and 2 GB, a few seconds of work. Positions of real games need
    hundreds of states; only wide lattices of isolated clues come near the line.
    """

    states: int = 10_000_000
    megabytes: int = 2_000


class Workspace:
    """The three buffers of the engine for boards of one size. Not for two threads at once."""

    def __init__(self, n_cells: int, soft: bool, budget: Budget, remembers: bool = False) -> None:
        self.n_cells = n_cells
        self.soft = soft
        self.budget = budget
        self._room_cache = 40 * (n_cells + layout.MARGIN) if remembers else 0
        # What is remembered takes room of its own.
        larger = 16 if remembers else 1
        self._room = {"states": 1024 * larger, "links": 2048 * larger, "weights": 4096 * larger, "slots": 256}
        self.longs = np.zeros(layout.HEAD, dtype=np.int64)
        self._allocate()

    def _allocate(self) -> None:
        room = self._room
        # The old buffers go first: both together would be twice the budget.
        self.ints = np.zeros(0, dtype=np.int32)
        self.floats = np.zeros(0)
        n_ints = layout.n_ints(self.n_cells, room["states"], room["links"], room["slots"], self._room_cache)
        self.ints = np.zeros(n_ints, dtype=np.int32)
        kept = [layout.REUSED, layout.SUMMED, layout.PLAIN]
        values = self.longs[kept]
        self.longs = np.zeros(layout.n_longs(self.n_cells, room["slots"]), dtype=np.int64)
        self.longs[kept] = values
        n_soft = room["links"] if self.soft else 0
        self.floats = np.zeros(layout.n_floats(self.n_cells, room["weights"], n_soft), dtype=np.float64)
        self.longs[layout.ROOM_STATES : layout.ROOM_CACHE + 1] = [*room.values(), self._room_cache]

    @property
    def n_bytes(self) -> int:
        """The memory in use."""
        return self.ints.nbytes + self.longs.nbytes + self.floats.nbytes

    @property
    def width(self) -> int:
        """The most clues open at once in the last summation."""
        return int(self.longs[layout.WIDEST])

    @property
    def n_summed(self) -> int:
        """Components summed so far."""
        return int(self.longs[layout.SUMMED])

    @property
    def n_reused(self) -> int:
        """Components found remembered so far."""
        return int(self.longs[layout.REUSED])

    def grow(self, status: int) -> None:
        """Double the pool that a kernel found too small, or raise `TooHard`."""
        pool = {
            layout.MORE_STATES: "states",
            layout.MORE_LINKS: "links",
            layout.MORE_WEIGHTS: "weights",
            layout.MORE_SLOTS: "slots",
        }.get(status)
        if pool is None:
            raise TooHard(
                f"More than {2 * layout.SLOTS_PER_WORD} clues are open at once, too many for an exact sum.", self.width
            )
        # The sum begins again from the start each time, so the pool grows by a good deal while there is room.
        for times in (4, 2):
            larger = {**self._room, pool: times * self._room[pool]}
            n_bytes = self._n_bytes_for(larger)
            if larger["states"] <= self.budget.states and n_bytes <= self.budget.megabytes * 2**20:
                self._room = larger
                self._allocate()
                return
        raise TooHard(
            f"The exact sum takes more than {self.budget.states:,} states or {self.budget.megabytes:,} MB; "
            f"{self.width} clues are open at once.",
            self.width,
        )

    def _n_bytes_for(self, room: dict[str, int]) -> int:
        n_ints = layout.n_ints(self.n_cells, room["states"], room["links"], room["slots"], self._room_cache)
        n_floats = layout.n_floats(self.n_cells, room["weights"], room["links"] if self.soft else 0)
        return 4 * n_ints + 8 * (layout.n_longs(self.n_cells, room["slots"]) + n_floats)
