"""Laying mines at random, and moving one from where a proof is stuck.

| array    | dtype   | shape | meaning                                                                    |
|----------|---------|-------|----------------------------------------------------------------------------|
| mines    | bool    | (n,)  | the layout                                                                 |
| shown    | int8    | (n,)  | the mines around each cell                                                 |
| allowed  | int32   | (m,)  | the cells that may hold mines                                              |
| uniforms | float64 | (u,)  | random numbers from 0 up to 1                                              |
| order    | int32   | (n,)  | scratch                                                                    |
| marks    | int8    | (n,)  | what the player knows of each cell, see proving.py                         |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel
from sapper.kernels.frontier import MINE, OPEN, UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]


@inner_kernel
def put(cell: int, is_mine: bool, table: Ints, degree: Int8s, mines: Bools, shown: Int8s) -> None:
    """Put a mine into a cell that has none, or take it out; the clues around follow."""
    mines[cell] = is_mine
    for k in range(degree[cell]):
        if is_mine:
            shown[table[cell, k]] += 1
        else:
            shown[table[cell, k]] -= 1


@inner_kernel
def lay(
    n_mines: int, allowed: Ints, uniforms: Floats, at: int, table: Ints, degree: Int8s, order: Ints, mines: Bools,
    shown: Int8s,
) -> None:  # fmt: skip
    """Lay the mines, every placement as likely as any other; takes a random number for each."""
    for cell in range(mines.size):
        mines[cell] = False
        shown[cell] = 0
    n = allowed.size
    for i in range(n):
        order[i] = allowed[i]
    for i in range(n_mines):
        k = i + int(uniforms[at + i] * (n - i))
        cell = order[k]
        order[k] = order[i]
        put(cell, True, table, degree, mines, shown)


@inner_kernel
def choose_beside(uniform: float, own: int, beside: int, table: Ints, degree: Int8s, marks: Int8s, order: Ints) -> int:
    """Any cell with one mark that touches a cell with another, or -1."""
    n = 0
    for cell in range(marks.size):
        if marks[cell] != own:
            continue
        for k in range(degree[cell]):
            if marks[table[cell, k]] == beside:
                order[n] = cell
                n += 1
                break
    return order[int(uniform * n)] if n > 0 else -1


@inner_kernel
def choose_partner(uniform: float, is_mine: bool, allowed: Ints, mines: Bools, order: Ints) -> int:
    """Any mine on the board, or any cell without one that may hold one; or -1."""
    n = 0
    for i in range(allowed.size):
        if mines[allowed[i]] == is_mine:
            order[n] = allowed[i]
            n += 1
    return order[int(uniform * n)] if n > 0 else -1


@inner_kernel
def repair(
    first_uniform: float, second_uniform: float, allowed: Ints, table: Ints, degree: Int8s, order: Ints, mines: Bools,
    shown: Int8s, marks: Int8s,
) -> bool:  # fmt: skip
    """Exchange a cell at which the proof is stuck with any cell of the board that is its opposite; whether it can be.

    Stuck is an unknown cell beside an open one; where there is none, unknown cells lie behind a wall of known mines,
    and one of these gives way. The other cell comes from the whole board, open cells too, which are hidden again: were
    it taken from the hidden ones alone, mines would gather where proofs end.
    """
    stuck = choose_beside(first_uniform, UNKNOWN, OPEN, table, degree, marks, order)
    if stuck < 0:
        stuck = choose_beside(first_uniform, MINE, UNKNOWN, table, degree, marks, order)
        if stuck < 0:
            return False
    was_mine = mines[stuck]
    other = choose_partner(second_uniform, not was_mine, allowed, mines, order)
    if other < 0:
        return False
    put(stuck, not was_mine, table, degree, mines, shown)
    put(other, was_mine, table, degree, mines, shown)
    marks[other] = UNKNOWN
    return True
