"""Guesses that have to be made sooner or later: mines and clear cells that may be swapped and no clue will ever tell.

Two cells, one of them a mine: if every cell around that is not a mine touches both or neither, nothing that can be
opened tells which. The same holds for four cells in a square with mines at two opposite corners. Cells *beyond*, which
touch the one side more often than the other, would tell, unless they are mines themselves.

| array   | dtype   | shape  | meaning                                                                   |
|---------|---------|--------|---------------------------------------------------------------------------|
| swap    | int32   | (2k,)  | the cells of a swap: first those that are mines, then those that are clear |
| tilt    | int8    | (n,)   | scratch, zero between calls: how much more a cell touches the mines       |
| found   | int32   | (n,)   | scratch: the cells beyond                                                 |
| relief  | float64 | (n,)   | out: for every cell, one minus the chance to lose later by swaps that it settles |
| others  |         |        | as in lookahead.py                                                        |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.choosing import HIDDEN
from sapper.kernels.frontier import EXPLODED, MINE, UNKNOWN
from sapper.kernels.posterior import solve
from sapper.kernels.workspace import CONTRADICTION, LOG_WEIGHT, OK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

NO_CLUE = -4

# Found by play on other boards than those reported: see docs/strength.md.
LEAST = 0.004  # swaps less likely to cost the game are not weighed
MOST_BEYOND = 3  # so many cells beyond, all of which would have to be mines
ROUGHLY = 1.0  # the rough chance of a swap may be too low by this factor


@inner_kernel
def _list_beyond(swap: Ints, seen: Int8s, verdict: Int8s, table: Ints, degree: Int8s, tilt: Int8s, found: Ints) -> int:
    """List the hidden cells beyond; -1 if there is a clue among them, or if there are too many."""
    half = len(swap) // 2
    for i in range(len(swap)):
        for k in range(degree[swap[i]]):
            tilt[table[swap[i], k]] += 1 if i < half else -1
    for i in range(len(swap)):
        tilt[swap[i]] = 0
    n_found = 0
    for i in range(len(swap)):
        for k in range(degree[swap[i]]):
            cell = table[swap[i], k]
            if tilt[cell] == 0:
                continue
            tilt[cell] = 0
            if seen[cell] >= 0:
                n_found = -1
            elif n_found >= 0 and seen[cell] == HIDDEN and verdict[cell] != MINE:
                if n_found == MOST_BEYOND:
                    n_found = -1
                    continue
                found[n_found] = cell
                n_found += 1
    return n_found


@inner_kernel
def _weigh(
    swap: Ints,
    seen: Int8s,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    verdict: Int8s,
    p: Floats,
    log_now: float,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_next: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    tilt: Int8s,
    found: Ints,
    relief: Floats,
) -> int:
    """Credit the cells that settle a swap with the chance that it costs the game, if that is worth a sum."""
    half = len(swap) // 2
    rough = 1.0
    for i in range(half):
        rough *= p[swap[i]] * (1.0 - p[swap[half + i]])
    if rough < ROUGHLY * LEAST:
        return OK
    n_beyond = _list_beyond(swap, seen, verdict, table, degree, tilt, found)
    for number in range(n_beyond):
        rough *= p[found[number]]
    if n_beyond < 0 or rough < ROUGHLY * LEAST:
        return OK
    for number in range(n_beyond):
        trial[found[number]] = EXPLODED
    for i in range(half):
        trial[swap[i]], trial[swap[half + i]] = EXPLODED, NO_CLUE
    status = solve(
        tried, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_next, ints, longs, floats
    )
    for number in range(n_beyond):
        trial[found[number]] = HIDDEN
    for i in range(len(swap)):
        trial[swap[i]] = HIDDEN
    if status != OK:
        return OK if status == CONTRADICTION else status
    # Swapped it fits as well, so this is also the chance of guessing the wrong one of the two.
    p_lost = np.exp(floats[LOG_WEIGHT] - log_now)
    if p_lost >= LEAST:
        for i in range(len(swap)):
            relief[swap[i]] *= 1.0 - p_lost
        for number in range(n_beyond):
            relief[found[number]] *= 1.0 - p_lost
    return OK


@inner_kernel
def _touches(first: int, second: int, table: Ints, degree: Int8s) -> bool:
    found = False
    for k in range(degree[first]):
        found |= table[first, k] == second
    return found


@inner_kernel
def weigh_swaps(
    seen: Int8s,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    verdict: Int8s,
    p: Floats,
    log_now: float,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_next: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    found: Ints,
    relief: Floats,
) -> int:
    """Fill ``relief`` by all pairs and squares of unknown cells; return the engine's status. ``trial`` is ``seen``."""
    relief[:] = 1.0
    n_cells = len(seen)
    tilt = np.zeros(n_cells, np.int8)
    near = np.empty(8, np.int32)
    pair, square = np.empty(2, np.int32), np.empty(4, np.int32)
    for first in range(n_cells):
        if seen[first] != HIDDEN or verdict[first] != UNKNOWN:
            continue
        n_near = 0
        for k in range(degree[first]):
            other = table[first, k]
            if other > first and seen[other] == HIDDEN and verdict[other] == UNKNOWN:
                near[n_near] = other
                n_near += 1
        for i in range(n_near):
            pair[0], pair[1] = first, near[i]
            status = _weigh(
                pair, seen, table, degree, cols, total, odds, trust_flags, is_soft, tables, verdict, p, log_now, trial,
                tried, settled, p_next, ints, longs, floats, tilt, found, relief,
            )  # fmt: skip
            if status != OK:
                return status
        # Four cells that all touch each other: the first and the last are opposite corners, as cells are numbered row
        # by row. Squares across the border of a torus are numbered otherwise and go without credit.
        for i in range(n_near - 2):
            for j in range(i + 1, n_near - 1):
                if not _touches(near[i], near[j], table, degree):
                    continue
                for k in range(j + 1, n_near):
                    if _touches(near[i], near[k], table, degree) and _touches(near[j], near[k], table, degree):
                        square[0], square[1], square[2], square[3] = first, near[k], near[i], near[j]
                        status = _weigh(
                            square, seen, table, degree, cols, total, odds, trust_flags, is_soft, tables, verdict, p,
                            log_now, trial, tried, settled, p_next, ints, longs, floats, tilt, found, relief,
                        )  # fmt: skip
                        if status != OK:
                            return status
    return OK
