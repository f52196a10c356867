"""Which cell to open when nothing is safe: the least risk, and near it the cell that is likeliest to tell something.

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

HIDDEN = -1

# A neighbour that shows a clue, or that is not hidden, is worth so much more risk; beyond the second, nothing is. Found
# by play: see docs/strength.md.
WORTH = 0.0035
MARGIN = 0.05


@kernel
def choose_least_risk(
    cells: NDArray[np.int8], table: NDArray[np.int32], degree: NDArray[np.int8], p: NDArray[np.float64]
) -> int:
    """Return the hidden cell of least risk, or -1 if none is hidden; linear in the cells.

    A cell with many clues around it and few hidden neighbours, such as one in a corner, is preferred to one that is a
    hair safer. Of equal ones the first is taken. Flagged cells are left alone.
    """
    least = 2.0
    for cell in range(len(cells)):
        if cells[cell] == HIDDEN and p[cell] < least:
            least = p[cell]
    best, best_score = -1, -1e9
    for cell in range(len(cells)):
        if cells[cell] != HIDDEN or p[cell] > least + MARGIN:
            continue
        score = -p[cell]
        for k in range(degree[cell]):
            other = table[cell, k]
            if cells[other] >= 0:
                score += WORTH
            elif cells[other] == HIDDEN:
                score -= WORTH
        # Chances that are equal may differ in their last bits, having been summed in different orders.
        if score > best_score + 1e-10:
            best, best_score = cell, score
    return best
