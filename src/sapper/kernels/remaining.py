"""The layouts that are left: every one that fits a position, and what each would show.

| array   | dtype | shape       | meaning                                                                           |
|---------|-------|-------------|-----------------------------------------------------------------------------------|
| seen    | int8  | (n,)        | what the player sees                                                              |
| settled | int8  | (n,)        | what the engine settled in it                                                     |
| unknown | int32 | (n,)        | out: the cells that are not settled, those of one clue close together             |
| need    | int32 | (n,)        | scratch: mines that a clue still wants                                            |
| around  | int32 | (n,)        | scratch: cells not yet decided around a clue                                      |
| choice  | int8  | (n + 1,)    | scratch: what was decided                                                         |
| shows   | int8  | (most, n)   | out: by layout and unknown cell the clue there, or MINED                          |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel
from sapper.kernels.frontier import EXPLODED, MINE, UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]

MINED = -1
TOO_MANY = -1  # more layouts, or more work to list them, than allowed
NODES_PER_LAYOUT = 200
ANY_NUMBER = -1000  # of mines


@inner_kernel
def is_mine(cell: int, seen: Int8s, settled: Int8s) -> bool:
    """Whether a cell is known to be a mine."""
    mined: bool = seen[cell] == EXPLODED or (seen[cell] < 0 and settled[cell] == MINE)
    return mined


@inner_kernel
def is_unknown(cell: int, seen: Int8s, settled: Int8s) -> bool:
    """Whether a cell may be a mine or not."""
    unsettled: bool = seen[cell] < 0 and settled[cell] == UNKNOWN
    return unsettled


@inner_kernel
def line_up(seen: Int8s, settled: Int8s, table: Ints, degree: Int8s, unknown: Ints, taken: Ints) -> int:
    """List the unknown cells, going from clue to clue, and last those that no clue touches."""
    taken[:] = 0
    n_found = 0
    for turn in range(2):
        for start in range(len(seen)):
            if taken[start] == 1 or not is_unknown(start, seen, settled):
                continue
            touched = False
            for k in range(degree[start]):
                touched |= seen[table[start, k]] >= 0
            if not touched and turn == 0:
                continue
            taken[start] = 1
            unknown[n_found] = start
            at = n_found
            n_found += 1
            while at < n_found:
                cell = unknown[at]
                at += 1
                for k in range(degree[cell]):
                    clue = table[cell, k]
                    if seen[clue] < 0:
                        continue
                    for j in range(degree[clue]):
                        other = table[clue, j]
                        if taken[other] == 0 and is_unknown(other, seen, settled):
                            taken[other] = 1
                            unknown[n_found] = other
                            n_found += 1
    return n_found


@inner_kernel
def count_left(seen: Int8s, settled: Int8s, total: int) -> int:
    """How many mines are still to be placed in unknown cells."""
    for cell in range(len(seen)):
        total -= is_mine(cell, seen, settled)
    return total


@inner_kernel
def _decide(cell: int, sign: int, mine: int, seen: Int8s, table: Ints, degree: Int8s, need: Ints, around: Ints) -> bool:
    """Take a decision into the clues around (sign 1) or out of them (-1); False if a clue cannot be met any more."""
    fits = True
    for k in range(degree[cell]):
        clue = table[cell, k]
        if seen[clue] >= 0:
            around[clue] -= sign
            need[clue] -= sign * mine
            fits &= 0 <= need[clue] <= around[clue]
    return fits


@inner_kernel
def _list_mines(
    seen: Int8s,
    settled: Int8s,
    table: Ints,
    degree: Int8s,
    left: int,
    most: int,
    unknown: Ints,
    n_unknown: int,
    need: Ints,
    around: Ints,
    choice: Int8s,
    mines: Int8s,
) -> int:
    """Fill ``mines``, a layout to a row; return how many there are, or TOO_MANY."""
    any_number = left == ANY_NUMBER
    for cell in range(len(seen)):
        if seen[cell] < 0:
            continue
        need[cell], around[cell] = seen[cell], 0
        for k in range(degree[cell]):
            need[cell] -= is_mine(table[cell, k], seen, settled)
            around[cell] += is_unknown(table[cell, k], seen, settled)
    count, n_nodes, at = 0, 0, 0
    choice[0] = -1
    while at >= 0:
        if at == n_unknown:
            if count == most:
                return TOO_MANY
            mines[count, :n_unknown] = choice[:n_unknown]
            count += 1
            at -= 1
            continue
        cell = unknown[at]
        if choice[at] >= 0:
            _decide(cell, -1, choice[at], seen, table, degree, need, around)
            left += int(choice[at])
        choice[at] += 1
        if choice[at] == 2:
            at -= 1
            continue
        n_nodes += 1
        if n_nodes > NODES_PER_LAYOUT * most:
            return TOO_MANY
        left -= int(choice[at])
        fits = _decide(cell, 1, choice[at], seen, table, degree, need, around)
        if fits and (any_number or 0 <= left < n_unknown - at):
            at += 1
            choice[at] = -1
    return count


@inner_kernel
def list_what_shows(
    seen: Int8s,
    settled: Int8s,
    table: Ints,
    degree: Int8s,
    left: int,
    most: int,
    unknown: Ints,
    n_unknown: int,
    need: Ints,
    around: Ints,
    choice: Int8s,
    shows: Int8s,
) -> int:
    """Return in how many ways so many mines, or ANY_NUMBER, fit into the given cells, or TOO_MANY; fill ``shows``.

    The cells are all unknown ones, or a part of them that neither a clue nor a border links to the others.
    """
    count = _list_mines(seen, settled, table, degree, left, most, unknown, n_unknown, need, around, choice, shows)
    place = need
    place[:] = -1
    for k in range(n_unknown):
        place[unknown[k]] = k
    for row in range(count):
        choice[:n_unknown] = shows[row, :n_unknown]
        for k in range(n_unknown):
            cell = unknown[k]
            clue = 0
            for j in range(degree[cell]):
                other = table[cell, j]
                if place[other] >= 0:
                    clue += choice[place[other]]
                else:
                    clue += is_mine(other, seen, settled)
            shows[row, k] = MINED if choice[k] == 1 else clue
    return count
