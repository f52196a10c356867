"""In how many layouts of a set each cell is a mine, and where they differ: most of the work of a search over layouts.

What the layouts show is laid out once more, layout by layout, in rows of whole blocks: processors add a block of cells
at once. So the sums are bytes, and are carried over before one of them can run over.

Linear in the layouts of the set times the unknown cells, whichever of them still matter.
"""

from __future__ import annotations

from sapper.kernels.codes import MINED
from sapper.kernels.language import Bytes, Int, Ints, Long, inner
from sapper.kernels.players.player import BLOCK, Ending

MOST_IN_BYTE = 127


@inner
def lay_rows(end: Ending) -> None:
    """Lay out what the listed layouts show, a row for each; the rest of its last block is zero."""
    base: Long = 0
    end.stride = (end.n_unknown + BLOCK - 1) // BLOCK * BLOCK
    for row in range(end.n_layouts):
        for k in range(end.stride):
            end.rows[base + k] = end.shows[k, row] if k < end.n_unknown else 0
        base += end.stride


@inner
def add_rows(
    rows: Bytes, order: Ints, tally: Bytes, differs: Bytes, stride: Int, start: Int, stop: Int, first: Long
) -> None:
    """Count the mines of the rows in a stretch of ``order``, and note where they differ from the row at ``first``."""
    # The arrays are arguments of their own: else the compiler could not know that they do not overlap.
    base: Long
    for k in range(stride):
        tally[k] = 0
    for i in range(start, stop):
        base = order[i]
        base *= stride
        for k in range(stride):
            tally[k] += rows[base + k] == MINED
            differs[k] |= rows[base + k] ^ rows[first + k]


@inner
def tally_layouts(end: Ending, low: Int, high: Int) -> None:
    """Set ``mined`` and ``differs`` for the layouts of a stretch."""
    stop: Int
    start: Int = low
    first: Long = end.order[low]
    first *= end.stride
    for k in range(end.stride):
        end.mined[k], end.differs[k] = 0, 0
    while start < high:
        stop = min(start + MOST_IN_BYTE, high)
        add_rows(end.rows, end.order, end.tally, end.differs, end.stride, start, stop, first)
        for k in range(end.stride):
            end.mined[k] += end.tally[k]
        start = stop
