"""What single clues and pairs of clues settle, kept up to date while cells open: the notes of a compiled player.

Every cell has a tally of the mines that its clue still needs and of the unknown cells around it, so the two rules of a
single clue cost two comparisons, and a cell that becomes known costs its neighbours. Zeros need no cascade here: a
clue without mines clears what is around it.

| array  | dtype | shape        | meaning                                                                       |
|--------|-------|--------------|-------------------------------------------------------------------------------|
| shown  | int8  | (n,)         | the clue that each cell shows when it is opened                               |
| cells  | int8  | (n,)         | what the player sees: HIDDEN or a clue                                        |
| marks  | int8  | (n,)         | UNKNOWN 0, SAFE 1 (to be opened), MINE 2, OPEN 3                              |
| notes  | int32 | (N_NOTES, n) | rows by cell, and stacks, named below                                         |
| heads  | int64 | (N_HEADS,)   | how high the stacks are, and what was counted, named below                    |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel
from sapper.kernels.frontier import HIDDEN, MINE, OPEN, SAFE, UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]

# Rows of `notes` by cell.
NEED = 0  # mines that its clue still needs among the unknown cells around it
LEFT = 1  # how many these cells are
WAITS_ALONE = 2  # 1: stands in the stack of clues to be looked at alone
WAITS_PAIRED = 3  # 1: stands in the stack of clues to be compared with others
WAITS_JOINED = 4  # NEWS or STALE: stands in the stack of clues to be consolidated, and has news or has none any more
SEEN_AT = 5  # stamp: when it was last met
COMMON = 6  # unknown cells that it shares with the clue at hand
HELD = 7  # the first statement that holds it, see consolidating.py
# Stacks of cells.
ALONE = 8
PAIRED = 9
JOINED = 10
TO_OPEN = 11
MET = 12  # clues met from the clue at hand
N_NOTES = 13

NEWS, STALE = 1, 2

# Places in `heads`: the heights of the stacks, the cells that are open, the last stamp.
N_ALONE, N_PAIRED, N_JOINED, N_TO_OPEN, N_OPEN, STAMP = 0, 1, 2, 3, 4, 5
N_HEADS = 6


@inner_kernel
def begin(cells: Int8s, shown: Int8s, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs) -> None:
    """Forget everything: a board of hidden cells."""
    for cell in range(cells.size):
        cells[cell] = HIDDEN
        marks[cell] = UNKNOWN
        notes[NEED, cell] = shown[cell]
        notes[LEFT, cell] = degree[cell]
        notes[WAITS_ALONE, cell] = 0
        notes[WAITS_PAIRED, cell] = 0
        notes[WAITS_JOINED, cell] = 0
    heads[:STAMP] = 0
    if heads[STAMP] > 2_000_000_000:
        heads[STAMP] = 0
        notes[SEEN_AT, :] = 0


@inner_kernel
def look_again(cells: Int8s, shown: Int8s, table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs) -> None:
    """Forget what was deduced, but not what is open: the clues have changed."""
    n_open = 0
    for cell in range(cells.size):
        notes[WAITS_ALONE, cell] = 0
        notes[WAITS_PAIRED, cell] = 0
        notes[WAITS_JOINED, cell] = 0
        notes[NEED, cell] = shown[cell]
        if marks[cell] == OPEN:
            cells[cell] = shown[cell]
            n_open += 1
        else:
            marks[cell] = UNKNOWN
            cells[cell] = HIDDEN
    heads[:STAMP] = 0
    heads[N_OPEN] = n_open
    for cell in range(cells.size):
        count = 0
        for k in range(degree[cell]):
            count += marks[table[cell, k]] == UNKNOWN
        notes[LEFT, cell] = count
        if marks[cell] == OPEN and count > 0:
            ask(cell, notes, heads)


@inner_kernel
def ask(clue: int, notes: Ints, heads: Longs) -> None:
    """Have a clue looked at, alone and beside others."""
    if notes[WAITS_ALONE, clue] == 0:
        notes[WAITS_ALONE, clue] = 1
        notes[ALONE, heads[N_ALONE]] = clue
        heads[N_ALONE] += 1
    if notes[WAITS_PAIRED, clue] == 0:
        notes[WAITS_PAIRED, clue] = 1
        notes[PAIRED, heads[N_PAIRED]] = clue
        heads[N_PAIRED] += 1
    if notes[WAITS_JOINED, clue] == 0:
        notes[JOINED, heads[N_JOINED]] = clue
        heads[N_JOINED] += 1
    notes[WAITS_JOINED, clue] = NEWS


@inner_kernel
def learn(cell: int, verdict: int, table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs) -> None:
    """Note that an unknown cell is a mine, or safe and waits to be opened."""
    marks[cell] = verdict
    one_mine = 1 if verdict == MINE else 0
    for k in range(degree[cell]):
        clue = table[cell, k]
        notes[LEFT, clue] -= 1
        notes[NEED, clue] -= one_mine
        if marks[clue] == OPEN:
            ask(clue, notes, heads)
    if verdict == SAFE:
        notes[TO_OPEN, heads[N_TO_OPEN]] = cell
        heads[N_TO_OPEN] += 1


@inner_kernel
def open_safe(cells: Int8s, shown: Int8s, marks: Int8s, notes: Ints, heads: Longs) -> None:
    """Open everything that is known to be safe."""
    while heads[N_TO_OPEN] > 0:
        heads[N_TO_OPEN] -= 1
        cell = notes[TO_OPEN, heads[N_TO_OPEN]]
        cells[cell] = shown[cell]
        marks[cell] = OPEN
        heads[N_OPEN] += 1
        ask(cell, notes, heads)


@inner_kernel
def reason_alone(
    cells: Int8s, shown: Int8s, table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs
) -> None:
    """Apply the two rules of a single clue and open what they clear, until nothing changes."""
    open_safe(cells, shown, marks, notes, heads)
    while heads[N_ALONE] > 0:
        heads[N_ALONE] -= 1
        clue = notes[ALONE, heads[N_ALONE]]
        notes[WAITS_ALONE, clue] = 0
        left, need = notes[LEFT, clue], notes[NEED, clue]
        if left == 0 or (need != 0 and need != left):
            continue
        verdict = SAFE if need == 0 else MINE
        for k in range(degree[clue]):
            cell = table[clue, k]
            if marks[cell] == UNKNOWN:
                learn(cell, verdict, table, degree, marks, notes, heads)
        open_safe(cells, shown, marks, notes, heads)


@inner_kernel
def settle_box(
    clue: int, other: int, which: int, verdict: int,
    table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs,
) -> None:  # fmt: skip
    """Note the verdict on the unknown cells of a clue that another clue shares (which = 1), or does not (0)."""
    for k in range(degree[clue]):
        cell = table[clue, k]
        if marks[cell] != UNKNOWN:
            continue
        shared = 0
        for i in range(degree[cell]):
            shared |= table[cell, i] == other
        if shared == which:
            learn(cell, verdict, table, degree, marks, notes, heads)


@inner_kernel
def compare(
    clue: int, other: int, common: int, table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs
) -> bool:
    """Settle what the bounds on the mines that two clues share settle; whether that is anything."""
    need1, need2 = notes[NEED, clue], notes[NEED, other]
    own1, own2 = notes[LEFT, clue] - common, notes[LEFT, other] - common
    least = max(need1 - own1, need2 - own2, 0)
    most = min(need1, need2, common)
    found = False
    if most == 0 or least == common:
        settle_box(clue, other, 1, SAFE if most == 0 else MINE, table, degree, marks, notes, heads)
        found = True
    if own1 > 0 and (need1 == least or need1 - most == own1):
        settle_box(clue, other, 0, SAFE if need1 == least else MINE, table, degree, marks, notes, heads)
        found = True
    if own2 > 0 and (need2 == least or need2 - most == own2):
        settle_box(other, clue, 0, SAFE if need2 == least else MINE, table, degree, marks, notes, heads)
        found = True
    return found


@inner_kernel
def reason_in_pairs(table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs) -> bool:
    """Compare clues that have news with those that they overlap, until one comparison settles something."""
    while heads[N_PAIRED] > 0:
        heads[N_PAIRED] -= 1
        clue = notes[PAIRED, heads[N_PAIRED]]
        notes[WAITS_PAIRED, clue] = 0
        if notes[LEFT, clue] == 0:
            continue
        heads[STAMP] += 1
        n_met = 0
        for k in range(degree[clue]):
            cell = table[clue, k]
            if marks[cell] != UNKNOWN:
                continue
            for i in range(degree[cell]):
                other = table[cell, i]
                if marks[other] != OPEN or other == clue:
                    continue
                if notes[SEEN_AT, other] != heads[STAMP]:
                    notes[SEEN_AT, other] = heads[STAMP]
                    notes[COMMON, other] = 0
                    notes[MET, n_met] = other
                    n_met += 1
                notes[COMMON, other] += 1
        for i in range(n_met):
            other = notes[MET, i]
            if compare(clue, other, notes[COMMON, other], table, degree, marks, notes, heads):
                # The rest of its neighbours count as news again.
                ask(clue, notes, heads)
                return True
    return False
