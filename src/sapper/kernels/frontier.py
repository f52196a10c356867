"""From the cells of a position to boxes: what single clues settle, and what is left to sum.

Linear in the cells. Most of the time of an ordinary position is spent here and not in the summation, so the
cheap deductions come first and boxes are built only from what they leave.

| array   | dtype   | shape  | meaning                                                                   |
|---------|---------|--------|---------------------------------------------------------------------------|
| cells   | int8    | (n,)   | what the player sees: HIDDEN -1, FLAG -2, EXPLODED -3, NO_CLUE -4, clues  |
| table   | int32   | (n, 8) | neighbours of each cell                                                   |
| degree  | int8    | (n,)   | number of neighbours                                                      |
| tables  | float64 | (n, 9) | soft clues: likelihood of what is shown by truth; exact: unused           |
| settled | int8    | (n,)   | out: UNKNOWN 0, SAFE 1, MINE 2 of hidden cells; OPEN 3                    |
| rows, clues, boxes |         | see workspace.py                                                          |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.workspace import (
    BOX_OF,
    CLUE_OF,
    CONTRADICTION,
    FRONTIER,
    HIGH,
    LABEL,
    LEAST,
    MEMBERS,
    MOST,
    N_AROUND,
    N_BOXES,
    N_CLUES,
    NUMBER_OF,
    OK,
    QUEUE,
    SIZE,
    SPAN,
    START,
    TOP,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]

HIDDEN, FLAG, EXPLODED = -1, -2, -3
UNKNOWN, SAFE, MINE, OPEN = 0, 1, 2, 3


@inner_kernel
def read_clues(
    cells: Int8s,
    table: Ints,
    degree: Int8s,
    trust_flags: bool,
    soft: bool,
    tables: Floats,
    settled: Int8s,
    rows: Ints,
) -> tuple[int, int]:
    """Classify the cells and count around every clue; return the numbers of unknown and of known mined cells.

    Loops without branches: which cell is open is anybody's guess, to a processor too.
    """
    n = cells.size
    n_closed = 0
    n_special = 0
    for cell in range(n):
        code = cells[cell]
        closed = (code == HIDDEN) | (code == FLAG)
        settled[cell] = UNKNOWN if closed else OPEN
        rows[HIGH, cell] = code
        rows[N_AROUND, cell] = 0
        n_closed += closed
        n_special += (code == FLAG) | (code == EXPLODED)
    # Counting from the closed cells or from the open ones gives the same; the fewer are quicker.
    if 2 * n_closed < n:
        for cell in range(n):
            if settled[cell] == UNKNOWN:
                for k in range(degree[cell]):
                    rows[N_AROUND, np.uint32(table[cell, k])] += 1
    else:
        for cell in range(n):
            if settled[cell] == OPEN:
                count = 0
                for k in range(degree[cell]):
                    count += settled[np.uint32(table[cell, k])] == UNKNOWN
                rows[N_AROUND, cell] = count
    if soft:
        bound_soft_clues(cells, degree, tables, rows)
    if n_special == 0:
        return n_closed, 0
    n_mines = 0
    n_flags = 0
    for cell in range(n):
        trusted = trust_flags and cells[cell] == FLAG
        if not (trusted or cells[cell] == EXPLODED):
            continue
        n_mines += 1
        if trusted:
            n_flags += 1
            settled[cell] = MINE
        for k in range(degree[cell]):
            clue = np.uint32(table[cell, k])
            rows[HIGH, clue] -= 1
            if trusted:
                rows[N_AROUND, clue] -= 1
    return n_closed - n_flags, n_mines


@inner_kernel
def bound_soft_clues(cells: Int8s, degree: Int8s, tables: Floats, rows: Ints) -> None:
    """Replace each clue by the truths that may be behind it: the greatest, and how far below it the least lies."""
    for cell in range(cells.size):
        if cells[cell] < 0:
            continue
        least, greatest = -1, -2
        for truth in range(degree[cell] + 1):
            if tables[cell, truth] > 0.0:
                greatest = truth
                if least < 0:
                    least = truth
        rows[HIGH, cell] = greatest
        rows[TOP, cell] = greatest
        rows[SPAN, cell] = greatest - least


@inner_kernel
def settle_by_single_clues(
    cells: Int8s,
    table: Ints,
    degree: Int8s,
    soft: bool,
    settled: Int8s,
    rows: Ints,
) -> tuple[int, int, int]:
    """Apply the two rules of a single clue to a fixpoint; return a status and how many safe cells and mines it found.

    A clue that allows no more mines clears its neighbours; one that needs all of them makes them mines. Cells that
    show no clue are counted along like clues: their tallies mean nothing and are never looked at.
    """
    n = cells.size
    n_safe = 0
    n_mines = 0
    n_waiting = 0
    impossible = False
    for cell in range(n):
        allow, left = rows[HIGH, cell], rows[N_AROUND, cell]
        need = allow - rows[SPAN, cell] if soft else allow
        is_clue = cells[cell] >= 0
        impossible |= is_clue & ((allow < 0) | (need > left))
        rows[QUEUE, n_waiting] = cell
        n_waiting += is_clue & (left > 0) & ((allow == 0) | (need == left))
    if impossible:
        return CONTRADICTION, n_safe, n_mines
    while n_waiting > 0:
        n_waiting -= 1
        clue = np.uint32(rows[QUEUE, n_waiting])
        if rows[N_AROUND, clue] == 0:
            continue
        verdict = SAFE if rows[HIGH, clue] == 0 else MINE
        one_mine = verdict == MINE
        for k in range(degree[clue]):
            cell = np.uint32(table[clue, k])
            if settled[cell] != UNKNOWN:
                continue
            settled[cell] = verdict
            n_safe += not one_mine
            n_mines += one_mine
            for i in range(degree[cell]):
                other = np.uint32(table[cell, i])
                left = rows[N_AROUND, other] - 1
                allow = rows[HIGH, other] - one_mine
                rows[N_AROUND, other] = left
                rows[HIGH, other] = allow
                need = allow - rows[SPAN, other] if soft else allow
                is_clue = cells[other] >= 0
                impossible |= is_clue & ((allow < 0) | (need > left))
                # Just now a rule begins to hold: the last mine was found, or the last spare cell went. Each happens
                # once to a clue, so the queue never holds more than 2n.
                begins = (one_mine & (allow == 0)) | ((not one_mine) & (need == left))
                rows[QUEUE, n_waiting] = other
                n_waiting += is_clue & begins & (left > 0)
        if impossible:
            return CONTRADICTION, n_safe, n_mines
    return OK, n_safe, n_mines


@inner_kernel
def build_boxes(
    cells: Int8s,
    table: Ints,
    degree: Int8s,
    settled: Int8s,
    rows: Ints,
    clues: Ints,
    boxes: Ints,
) -> tuple[int, int, int]:
    """Group the unknown cells around the clues that are left; return the numbers of clues, boxes and such cells."""
    n = cells.size
    clue_count = 0
    for cell in range(n):
        rows[BOX_OF, cell] = -1
        rows[NUMBER_OF, cell] = clue_count
        rows[CLUE_OF, clue_count] = cell
        clue_count += (cells[cell] >= 0) & (rows[N_AROUND, cell] > 0)
    for clue in range(clue_count):
        rows[N_BOXES, clue] = 0
    box_count = 0
    cell_count = 0
    for clue in range(clue_count):
        # Cells that were not boxed before this clue have it as their first: only the boxes made here can fit.
        first_box = box_count
        source = np.uint32(rows[CLUE_OF, clue])
        for k in range(degree[source]):
            cell = np.uint32(table[source, k])
            if settled[cell] != UNKNOWN or rows[BOX_OF, cell] >= 0:
                continue
            rows[FRONTIER, cell_count] = cell
            cell_count += 1
            n_touching = 0
            for i in range(degree[cell]):
                other = np.uint32(table[cell, i])
                clues[box_count, n_touching] = rows[NUMBER_OF, other]
                n_touching += cells[other] >= 0
            found = -1
            for box in range(first_box, box_count):
                if rows[N_CLUES, box] != n_touching:
                    continue
                same = True
                for i in range(n_touching):
                    same &= clues[box, i] == clues[box_count, i]
                if same:
                    found = box
                    break
            if found >= 0:
                rows[BOX_OF, cell] = found
                rows[SIZE, found] += 1
                continue
            rows[BOX_OF, cell] = box_count
            rows[SIZE, box_count] = 1
            rows[N_CLUES, box_count] = n_touching
            for i in range(n_touching):
                touching = np.uint32(clues[box_count, i])
                boxes[touching, rows[N_BOXES, touching]] = box_count
                rows[N_BOXES, touching] += 1
            box_count += 1
    return clue_count, box_count, cell_count


@inner_kernel
def tighten(clue_count: int, box_count: int, soft: bool, rows: Ints, boxes: Ints) -> int:
    """Narrow the possible numbers of mines in each box, clue by clue, to a fixpoint; return a status.

    What the other boxes of a clue can hold bounds what this one must hold.
    """
    for box in range(box_count):
        rows[LEAST, box] = 0
        rows[MOST, box] = rows[SIZE, box]
    changed = True
    while changed:
        changed = False
        for clue in range(clue_count):
            source = np.uint32(rows[CLUE_OF, clue])
            fewest = 0
            greatest = 0
            for i in range(rows[N_BOXES, clue]):
                fewest += rows[LEAST, np.uint32(boxes[clue, i])]
                greatest += rows[MOST, np.uint32(boxes[clue, i])]
            allow = rows[HIGH, source]
            need = allow - rows[SPAN, source] if soft else allow
            if greatest < need or fewest > allow:
                return CONTRADICTION
            if greatest <= allow and fewest >= need:
                continue
            for i in range(rows[N_BOXES, clue]):
                box = np.uint32(boxes[clue, i])
                at_least = need - (greatest - rows[MOST, box])
                if at_least > rows[LEAST, box]:
                    fewest += at_least - rows[LEAST, box]
                    rows[LEAST, box] = at_least
                    changed = True
                at_most = allow - (fewest - rows[LEAST, box])
                if at_most < rows[MOST, box]:
                    greatest -= rows[MOST, box] - at_most
                    rows[MOST, box] = at_most
                    changed = True
                if rows[LEAST, box] > rows[MOST, box]:
                    return CONTRADICTION
    return OK


@inner_kernel
def split_components(box_count: int, rows: Ints, clues: Ints, boxes: Ints) -> int:
    """Group the boxes that are not fixed into components; return how many.

    Component c has the boxes rows[MEMBERS, rows[START, c]:rows[START, c + 1]], ascending. Fixed boxes get the label -1.
    """
    n_components = 0
    for box in range(box_count):
        rows[LABEL, box] = -1
    for first in range(box_count):
        if rows[LABEL, first] >= 0 or rows[LEAST, first] == rows[MOST, first]:
            continue
        rows[LABEL, first] = n_components
        rows[QUEUE, 0] = first
        n_waiting = 1
        n_members = 1
        while n_waiting > 0:
            n_waiting -= 1
            box = np.uint32(rows[QUEUE, n_waiting])
            for i in range(rows[N_CLUES, box]):
                clue = np.uint32(clues[box, i])
                for k in range(rows[N_BOXES, clue]):
                    other = np.uint32(boxes[clue, k])
                    if rows[LABEL, other] < 0 and rows[LEAST, other] != rows[MOST, other]:
                        rows[LABEL, other] = n_components
                        rows[QUEUE, n_waiting] = other
                        n_waiting += 1
                        n_members += 1
        rows[START, n_components + 1] = n_members
        n_components += 1
    rows[START, 0] = 0
    for component in range(n_components):
        rows[START, component + 1] += rows[START, component]
        rows[QUEUE, component] = rows[START, component]
    for box in range(box_count):
        if rows[LABEL, box] >= 0:
            rows[MEMBERS, rows[QUEUE, rows[LABEL, box]]] = box
            rows[QUEUE, rows[LABEL, box]] += 1
    return n_components
