"""The cells worth a look when nothing is safe.

| array   | dtype   | shape  | meaning                                                                        |
|---------|---------|--------|--------------------------------------------------------------------------------|
| seen    | int8    | (n,)   | what the player sees                                                           |
| p       | float64 | (n,)   | chance of a mine under every hidden cell; NaN where open                       |
| relief  | float64 | (n,)   | what the guesses that a cell settles would leave of the chance to win          |
| found   | int32   | (n,)   | out: the candidates                                                            |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel
from sapper.kernels.choosing import HIDDEN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]

SAME = 1.0 + 1e-9  # equal scores may differ in their last bits


@inner_kernel
def _rank(cell: int, seen: Int8s, table: Ints, degree: Int8s, p: Floats, relief: Floats) -> float:
    """Its safety, credited; of equal ones the likeliest to open up comes first."""
    p_open = 1.0
    for k in range(degree[cell]):
        other = table[cell, k]
        if seen[other] < 0 and p[other] == p[other]:
            p_open *= 1.0 - p[other]
    rank: float = (1.0 - p[cell]) / relief[cell] * (1.0 + 1e-3 * p_open)
    return rank


@inner_kernel
def list_candidates(
    seen: Int8s,
    table: Ints,
    degree: Int8s,
    p: Floats,
    relief: Floats,
    found: Ints,
    near: float,
    n_frontier: int,
    n_off: int,
) -> int:
    """List the cells with at least ``near`` times the best safety: the best on the frontier, then the best off it."""
    least = 0.0
    for cell in range(len(seen)):
        if seen[cell] == HIDDEN:
            least = max(least, near * (1.0 - p[cell]) / relief[cell])
    n_found = 0
    for turn in range(2):
        start, most = n_found, n_frontier if turn == 0 else n_off
        for cell in range(len(seen)):
            if seen[cell] != HIDDEN or (1.0 - p[cell]) / relief[cell] < least:
                continue
            on_frontier = False
            for k in range(degree[cell]):
                on_frontier |= seen[table[cell, k]] >= 0
            if on_frontier != (turn == 0):
                continue
            rank = _rank(cell, seen, table, degree, p, relief)
            place = n_found
            while place > start and rank > _rank(found[place - 1], seen, table, degree, p, relief) * SAME:
                place -= 1
            if place - start >= most:
                continue
            for k in range(min(n_found, start + most - 1), place, -1):
                found[k] = found[k - 1]
            found[place] = cell
            n_found = min(n_found + 1, start + most)
    return n_found
