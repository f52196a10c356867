"""Opening a cell with its cascade: a flood fill over zeros, linear in the cells that open.

| array      | dtype | shape      | meaning                                                  |
|------------|-------|------------|----------------------------------------------------------|
| cells      | int8  | (n,)       | what the player sees; HIDDEN = -1 is opened, flags stay  |
| shown      | int8  | (n,)       | the clue each cell shows when it is opened               |
| table      | int32 | (n, 8)     | neighbours of each cell                                  |
| degree     | int8  | (n,)       | number of neighbours                                     |
| out_opened | int32 | (n,)       | the cells opened, in order; doubles as the queue         |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HIDDEN = -1


@kernel
def reveal(
    cells: NDArray[np.int8],
    shown: NDArray[np.int8],
    table: NDArray[np.int32],
    degree: NDArray[np.int8],
    start: int,
    cascade: bool,
    out_opened: NDArray[np.int32],
) -> int:
    """Open ``start``, which is hidden and no mine, and what its cascade opens; return how many cells opened."""
    cells[start] = shown[start]
    out_opened[0] = start
    n_opened = 1
    if not cascade:
        return n_opened
    at = 0
    while at < n_opened:
        cell = out_opened[at]
        at += 1
        if shown[cell] != 0:
            continue
        for k in range(degree[cell]):
            neighbour = table[cell, k]
            if cells[neighbour] == HIDDEN:
                cells[neighbour] = shown[neighbour]
                out_opened[n_opened] = neighbour
                n_opened += 1
    return n_opened
