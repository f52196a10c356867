"""Clearing a layout by reasoning alone, and finding layouts that can be cleared so.

The player in here opens what is proved and never guesses. It reasons as hard as the level allows, easy things first:
most boards take a handful of exact sums, and the rest of the work is some additions per cell.

| array    | dtype   | shape  | meaning                                                                               |
|----------|---------|--------|---------------------------------------------------------------------------------------|
| mines, shown, allowed, uniforms, order | see repairing.py                                                         |
| cells, marks, notes, heads | see proving.py                                                                       |
| pool, queue | see consolidating.py                                                                                |
| seen     | int8    | (n,)   | the memory of cells, read-only: the type for which the engine is compiled already     |
| tally    | int64   | (4,)   | in and out: tries made, repairs of this try, repairs of all, sweeps over the board    |
| others   |         |        | as in posterior.py                                                                    |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.consolidating import reason_by_subsets
from sapper.kernels.frontier import MINE, SAFE, UNKNOWN
from sapper.kernels.posterior import solve
from sapper.kernels.proving import N_OPEN, begin, learn, look_again, reason_alone, reason_in_pairs
from sapper.kernels.repairing import choose_partner, lay, put, repair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

# How hard the player may reason; each level has all that is before it.
SINGLE, SUBSETS, PAIRS, COMPLETE, COUNT = 0, 1, 2, 3, 4

# What a call reports: one of these, or a status of the engine. With more memory the same try is made again.
CLEARED = -1
STUCK = -2

TRY, N_REPAIRS, ALL_REPAIRS, N_SWEEPS = 0, 1, 2, 3


@inner_kernel
def reason_exactly(
    seen: Int8s, table: Ints, degree: Int8s, cols: int, total: int, tables: Floats, settled: Int8s, p_mine: Floats,
    ints: Ints, longs: Longs, floats: Floats, marks: Int8s, notes: Ints, heads: Longs,
) -> int:  # fmt: skip
    """Note everything that follows; CLEARED if some of it is safe, else STUCK or a status of the engine."""
    status = solve(seen, table, degree, cols, total, 1.0, False, False, tables, settled, p_mine, ints, longs, floats)
    if status != 0:
        return status
    status = STUCK
    for cell in range(seen.size):
        if marks[cell] == UNKNOWN and (settled[cell] == SAFE or settled[cell] == MINE):
            if settled[cell] == SAFE:
                status = CLEARED
            learn(cell, settled[cell], table, degree, marks, notes, heads)
    return status


@inner_kernel
def clear(
    level: int, n_safe: int, total: int, table: Ints, degree: Int8s, cols: int, shown: Int8s, cells: Int8s, seen: Int8s,
    marks: Int8s, notes: Ints, heads: Longs, pool: Ints, queue: Longs, tables: Floats, settled: Int8s, p_mine: Floats,
    ints: Ints, longs: Longs, floats: Floats,
) -> int:  # fmt: skip
    """Open what is proved until the board is CLEARED or the proof is STUCK."""
    while True:
        reason_alone(cells, shown, table, degree, marks, notes, heads)
        if heads[N_OPEN] == n_safe:
            return CLEARED
        if level == SINGLE:
            return STUCK
        # Whoever sums exactly needs no subsets, but pairs are so cheap that they save most of the sums.
        if level < COMPLETE and reason_by_subsets(table, degree, marks, notes, heads, pool, queue):
            continue
        if level == SUBSETS:
            return STUCK
        if reason_in_pairs(table, degree, marks, notes, heads):
            continue
        if level == PAIRS:
            return STUCK
        status = reason_exactly(
            seen, table, degree, cols, total if level == COUNT else -1, tables, settled, p_mine, ints, longs, floats,
            marks, notes, heads,
        )  # fmt: skip
        if status != CLEARED:
            return status


@kernel
def search(
    level: int, n_mines: int, first: int, is_given: bool, most_repairs: int, n_mixes: int, n_tries: int, allowed: Ints,
    uniforms: Floats, table: Ints, degree: Int8s, cols: int, mines: Bools, shown: Int8s, cells: Int8s, seen: Int8s,
    marks: Int8s, notes: Ints, heads: Longs, pool: Ints, queue: Longs, order: Ints, tables: Floats, settled: Int8s,
    p_mine: Floats, ints: Ints, longs: Longs, floats: Floats, tally: Longs,
) -> int:  # fmt: skip
    """Lay mines until a layout can be cleared from the first cell, or clear the one that is given.

    A try that is stuck is repaired so many times and goes on from where it is. A repair may spoil what was proved
    before it, so the board is swept again from its first cell until a sweep needs no repair. A try that is stuck at
    the very first cell is given up: another layout is as good, and costs less. Every try has random numbers of its own.

    A layout that was found is mixed: any mine and any free cell are exchanged, so many times, and back again where the
    board would need a guess then. That is Metropolis' walk, whose limit is every such layout equally often.
    """
    n_safe = cells.size - n_mines
    while tally[TRY] < n_tries:
        at = tally[TRY] * (n_mines + 2 * most_repairs + 2 * n_mixes)
        if not is_given:
            lay(n_mines, allowed, uniforms, at, table, degree, order, mines, shown)
        at += n_mines
        n_repairs = 0
        n_before = -1
        status = CLEARED
        while status == CLEARED and n_repairs != n_before:
            n_before = n_repairs
            tally[N_SWEEPS] += 1
            begin(cells, shown, degree, marks, notes, heads)
            learn(first, SAFE, table, degree, marks, notes, heads)
            while True:
                status = clear(
                    level, n_safe, n_mines, table, degree, cols, shown, cells, seen, marks, notes, heads, pool, queue,
                    tables, settled, p_mine, ints, longs, floats,
                )  # fmt: skip
                if status != STUCK or n_repairs == most_repairs or heads[N_OPEN] == 1:
                    break
                one, two = uniforms[at + 2 * n_repairs], uniforms[at + 2 * n_repairs + 1]
                if not repair(one, two, allowed, table, degree, order, mines, shown, marks):
                    break
                n_repairs += 1
                look_again(cells, shown, table, degree, marks, notes, heads)
        at += 2 * most_repairs
        for mix in range(n_mixes if status == CLEARED else 0):
            mine = choose_partner(uniforms[at + 2 * mix], True, allowed, mines, order)
            free = choose_partner(uniforms[at + 2 * mix + 1], False, allowed, mines, order)
            if mine < 0 or free < 0:
                break
            put(mine, False, table, degree, mines, shown)
            put(free, True, table, degree, mines, shown)
            begin(cells, shown, degree, marks, notes, heads)
            learn(first, SAFE, table, degree, marks, notes, heads)
            status = clear(
                level, n_safe, n_mines, table, degree, cols, shown, cells, seen, marks, notes, heads, pool, queue,
                tables, settled, p_mine, ints, longs, floats,
            )  # fmt: skip
            if status >= 0:
                break
            if status == STUCK:
                put(free, False, table, degree, mines, shown)
                put(mine, True, table, degree, mines, shown)
                status = CLEARED
        if status >= 0:
            return status
        tally[TRY] += 1
        tally[N_REPAIRS] = n_repairs
        tally[ALL_REPAIRS] += n_repairs
        if status == CLEARED:
            return CLEARED
    return STUCK
