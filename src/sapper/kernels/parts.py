"""Parts of the board that have nothing to do with the rest, each played perfectly by itself.

Two unknown cells are linked if they are neighbours, since opening one tells about the other, or if one clue touches
both. What is not linked, directly or through others, meets only in the number of mines. A part that holds the same
number in every layout is cut off from that too: the chance to win is the product of its own and that of the rest, in
whatever order they are played.

The arrays are those of endgame.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.endgame import search
from sapper.kernels.remaining import ANY_NUMBER, MINED, is_unknown, list_what_shows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sapper.kernels.endgame import Scratch

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]

NO_PART = -4  # nothing is cut off, or what is has too many layouts


@inner_kernel
def _gather(start: int, seen: Int8s, settled: Int8s, table: Ints, degree: Int8s, taken: Ints, part: Ints) -> int:
    """List the part of a cell; minus its size if no clue touches one of its cells."""
    taken[start] = 1
    part[0] = start
    n_found, at = 1, 0
    all_touched = True
    while at < n_found:
        cell = part[at]
        at += 1
        touched = False
        for k in range(degree[cell]):
            other = table[cell, k]
            if is_unknown(other, seen, settled):
                if taken[other] == 0:
                    taken[other] = 1
                    part[n_found] = other
                    n_found += 1
            elif seen[other] >= 0:
                touched = True
                for j in range(degree[other]):
                    beyond = table[other, j]
                    if taken[beyond] == 0 and is_unknown(beyond, seen, settled):
                        taken[beyond] = 1
                        part[n_found] = beyond
                        n_found += 1
        all_touched &= touched
    return n_found if all_touched else -n_found


@inner_kernel
def _holds_same_number(count: int, n_unknown: int, shows: Int8s) -> bool:
    """Whether all layouts have the same number of mines."""
    first = -1
    for row in range(count):
        n_mined = 0
        for k in range(n_unknown):
            n_mined += shows[row, k] == MINED
        if first < 0:
            first = n_mined
        elif n_mined != first:
            return False
    return True


@kernel
def choose_in_part(seen: Int8s, settled: Int8s, table: Ints, degree: Int8s, slack: int, end: Scratch) -> int:
    """Return the best cell of the first part that is cut off from the rest, or NO_PART; linear where there is none.

    No cell may be settled safe. ``unknown`` and ``shows`` are left with the cells of that part and its layouts.
    """
    taken = end.wins  # not yet needed for those
    taken[:] = 0
    for start in range(len(seen)):
        if taken[start] == 1 or not is_unknown(start, seen, settled):
            continue
        n_unknown = _gather(start, seen, settled, table, degree, taken, end.unknown)
        # A cell that no clue touches may be a mine or not, as the rest of the board pleases.
        if n_unknown < 0:
            continue
        count = list_what_shows(
            seen, settled, table, degree, ANY_NUMBER, len(end.order), end.unknown, n_unknown, end.need, end.around,
            end.choice, end.shows,
        )  # fmt: skip
        if count < 2 or not _holds_same_number(count, n_unknown, end.shows):
            continue
        cell = search(count, n_unknown, slack, end)
        return cell if cell >= 0 else NO_PART
    return NO_PART
