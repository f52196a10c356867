"""Which cell to open when nothing is safe: the least risk, and of several the one likeliest to open up.

| array   | dtype   | shape  | meaning                                                  |
|---------|---------|--------|----------------------------------------------------------|
| cells   | int8    | (n,)   | what the player sees                                     |
| table   | int32   | (n, 8) | neighbours of each cell                                  |
| degree  | int8    | (n,)   | number of neighbours                                     |
| p       | float64 | (n,)   | chance of a mine under every hidden cell; NaN where open |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Equal chances may differ in their last bits, having been summed in different orders.
SAME = 1.0 + 1e-9
HIDDEN = -1


@kernel
def choose_least_risk(
    cells: NDArray[np.int8], table: NDArray[np.int32], degree: NDArray[np.int8], p: NDArray[np.float64]
) -> int:
    """Return the hidden cell of least risk, or -1 if none is hidden; linear in the cells.

    Of several, the one whose neighbours are likeliest to be all clear if they were independent: corners and edges away
    from clues, mostly. Flagged cells are left alone.
    """
    least = 2.0
    for cell in range(len(cells)):
        if cells[cell] == HIDDEN and p[cell] < least:
            least = p[cell]
    best, best_open = -1, -1.0
    for cell in range(len(cells)):
        if cells[cell] != HIDDEN or p[cell] > least * SAME:
            continue
        p_open = 1.0
        for k in range(degree[cell]):
            other = table[cell, k]
            if cells[other] < 0 and p[other] == p[other]:
                p_open *= 1.0 - p[other]
        if p_open > best_open * SAME:
            best, best_open = cell, p_open
    return best
