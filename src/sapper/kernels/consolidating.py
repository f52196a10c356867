"""Statements consolidated against each other: if A lies within B, the rest of B holds b - a; compiled `subsets`.

Only the parts of the frontier that have news are looked at, each as a whole. What comes out is the fixpoint, which does
not depend on the order, so it is what `inference/subsets.py` finds. No statement is about more than eight cells, and
each that is kept lies within the neighbours of some clue: tens of them as a rule, compared with those that share cells.

| array | dtype | shape             | meaning                                                                         |
|-------|-------|-------------------|---------------------------------------------------------------------------------|
| pool  | int32 | (room, N_COLUMNS) | a statement per row, columns named below; room is at least N_BUCKETS            |
| queue | int64 | (3,)              | where the queue begins and ends, and how many comparisons there were            |
| other |       |                   | as in proving.py                                                                |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels import inner_kernel
from sapper.kernels.frontier import MINE, OPEN, SAFE, UNKNOWN
from sapper.kernels.proving import (
    HELD,
    JOINED,
    LEFT,
    MET,
    N_JOINED,
    NEED,
    NEWS,
    SEEN_AT,
    STALE,
    STAMP,
    WAITS_JOINED,
    learn,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]

MOST_CELLS = 8
# Columns of `pool`; the first eight are the cells of the statement, ascending.
SIZE = 8
LOW = 9
HIGH = 10
CHAIN = 11  # the next statement in its bucket, or -1
WAITS = 12  # 1: still to be compared
MET_AT = 13  # the turn in which it was last compared
LINK = 14  # eight columns: the next statement that holds the same cell, as statement * 8 + which of its cells; or -1
QUEUE = 22  # the column itself is the queue of those that wait
BUCKET = 23  # the column itself: the first statement of every bucket, or -1
N_COLUMNS = 24

# Places in `queue`.
FRONT, END, TURN = 0, 1, 2

N_BUCKETS = 1024
ROOM = 8192  # statements; frontiers of real games take hundreds


@inner_kernel
def find(n_kept: int, pool: Ints, size: int) -> tuple[int, int]:
    """Return the statement about the cells in the row behind the last one, or -1, and their bucket."""
    bucket = 0
    for k in range(size):
        bucket = (bucket * 31 + pool[n_kept, k]) % N_BUCKETS
    at = pool[bucket, BUCKET]
    while at >= 0:
        if pool[at, SIZE] == size:
            same = True
            for k in range(size):
                same &= pool[at, k] == pool[n_kept, k]
            if same:
                return at, bucket
        at = pool[at, CHAIN]
    return -1, bucket


@inner_kernel
def state(n_kept: int, size: int, low: int, high: int, pool: Ints, notes: Ints, queue: Longs) -> int:
    """Keep the statement whose cells stand in the row behind the last one; return how many there are now."""
    low, high = max(low, 0), min(high, size)
    at, bucket = find(n_kept, pool, size)
    if at >= 0:
        if pool[at, LOW] >= low and pool[at, HIGH] <= high:
            return n_kept
        pool[at, LOW] = max(low, pool[at, LOW])
        pool[at, HIGH] = min(high, pool[at, HIGH])
    else:
        at = n_kept
        n_kept += 1
        pool[at, SIZE], pool[at, LOW], pool[at, HIGH] = size, low, high
        pool[at, WAITS], pool[at, MET_AT] = 0, 0
        pool[at, CHAIN] = pool[bucket, BUCKET]
        pool[bucket, BUCKET] = at
        for k in range(size):
            cell = pool[at, k]
            pool[at, LINK + k] = notes[HELD, cell]
            notes[HELD, cell] = at * MOST_CELLS + k
    if pool[at, WAITS] == 0:
        pool[at, WAITS] = 1
        pool[queue[END], QUEUE] = at
        queue[END] = (queue[END] + 1) % pool.shape[0]
    return n_kept


@inner_kernel
def lies_within(smaller: int, larger: int, pool: Ints) -> bool:
    """Whether the cells of one statement are among those of a larger one."""
    k = 0
    for i in range(pool[smaller, SIZE]):
        cell = pool[smaller, i]
        while k < pool[larger, SIZE] and pool[larger, k] < cell:
            k += 1
        if k == pool[larger, SIZE] or pool[larger, k] != cell:
            return False
    return True


@inner_kernel
def subtract(n_kept: int, smaller: int, larger: int, pool: Ints, notes: Ints, queue: Longs) -> int:
    """State what is left of a statement without one that lies within it; return how many there are now."""
    if n_kept + 1 >= pool.shape[0]:
        return n_kept
    k = 0
    size = 0
    for i in range(pool[larger, SIZE]):
        cell = pool[larger, i]
        if k < pool[smaller, SIZE] and pool[smaller, k] == cell:
            k += 1
        else:
            pool[n_kept, size] = cell
            size += 1
    low = pool[larger, LOW] - pool[smaller, HIGH]
    high = pool[larger, HIGH] - pool[smaller, LOW]
    return state(n_kept, size, low, high, pool, notes, queue)


@inner_kernel
def compare_with_all(n_kept: int, one: int, pool: Ints, notes: Ints, queue: Longs) -> int:
    """Compare a statement with all that lie within it or around it; return how many there are now."""
    queue[TURN] += 1
    pool[one, MET_AT] = queue[TURN]
    for i in range(pool[one, SIZE]):
        link = notes[HELD, pool[one, i]]
        while link >= 0:
            other = link // MOST_CELLS
            link = pool[other, LINK + link % MOST_CELLS]
            if pool[other, MET_AT] == queue[TURN]:
                continue
            pool[other, MET_AT] = queue[TURN]
            if pool[other, SIZE] < pool[one, SIZE]:
                if lies_within(other, one, pool):
                    n_kept = subtract(n_kept, other, one, pool, notes, queue)
            elif pool[other, SIZE] > pool[one, SIZE] and lies_within(one, other, pool):
                n_kept = subtract(n_kept, one, other, pool, notes, queue)
    return n_kept


@inner_kernel
def gather(start: int, table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs) -> int:
    """Collect the clues that hang together with one through unknown cells; none of them is news any more."""
    heads[STAMP] += 1
    notes[SEEN_AT, start] = heads[STAMP]
    notes[MET, 0] = start
    n_met = 1
    at = 0
    while at < n_met:
        clue = notes[MET, at]
        if notes[WAITS_JOINED, clue] == NEWS:
            notes[WAITS_JOINED, clue] = STALE
        at += 1
        for k in range(degree[clue]):
            cell = table[clue, k]
            if marks[cell] != UNKNOWN or notes[SEEN_AT, cell] == heads[STAMP]:
                continue
            notes[SEEN_AT, cell] = heads[STAMP]
            notes[HELD, cell] = -1
            for i in range(degree[cell]):
                other = table[cell, i]
                if marks[other] == OPEN and notes[SEEN_AT, other] != heads[STAMP]:
                    notes[SEEN_AT, other] = heads[STAMP]
                    notes[MET, n_met] = other
                    n_met += 1
    return n_met


@inner_kernel
def consolidate(
    n_clues: int, table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs, pool: Ints, queue: Longs
) -> bool:
    """Draw every conclusion from the clues that were collected; whether that is any."""
    pool[:N_BUCKETS, BUCKET] = -1
    queue[FRONT], queue[END], queue[TURN] = 0, 0, 0
    n_kept = 0
    for i in range(n_clues):
        clue = notes[MET, i]
        size = 0
        for k in range(degree[clue]):
            if marks[table[clue, k]] == UNKNOWN:
                pool[n_kept, size] = table[clue, k]
                size += 1
        if n_kept + 1 < pool.shape[0]:
            n_kept = state(n_kept, size, notes[NEED, clue], notes[NEED, clue], pool, notes, queue)
    while queue[FRONT] != queue[END]:
        one = pool[queue[FRONT], QUEUE]
        queue[FRONT] = (queue[FRONT] + 1) % pool.shape[0]
        pool[one, WAITS] = 0
        n_kept = compare_with_all(n_kept, one, pool, notes, queue)
    found = False
    for one in range(n_kept):
        size = pool[one, SIZE]
        if pool[one, HIGH] != 0 and pool[one, LOW] != size:
            continue
        for k in range(size):
            if marks[pool[one, k]] == UNKNOWN:
                learn(pool[one, k], SAFE if pool[one, HIGH] == 0 else MINE, table, degree, marks, notes, heads)
                found = True
    return found


@inner_kernel
def reason_by_subsets(
    table: Ints, degree: Int8s, marks: Int8s, notes: Ints, heads: Longs, pool: Ints, queue: Longs
) -> bool:
    """Consolidate the parts of the frontier that have news, until one of them yields something."""
    while heads[N_JOINED] > 0:
        heads[N_JOINED] -= 1
        clue = notes[JOINED, heads[N_JOINED]]
        has_news = notes[WAITS_JOINED, clue] == NEWS and notes[LEFT, clue] > 0
        notes[WAITS_JOINED, clue] = 0
        if has_news:
            n_clues = gather(clue, table, degree, marks, notes, heads)
            if consolidate(n_clues, table, degree, marks, notes, heads, pool, queue):
                return True
    return False
