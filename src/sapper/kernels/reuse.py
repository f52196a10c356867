"""Remembering the sums of components from one position of a game to the next.

A component is described by its boxes and clues as they lie on the board: a record of integers. If the very same
description was summed before, its layers are still in the pools and only the backward pass is made again, because what
lies around the component has changed. The answers are those of a fresh computation to the last bit. Linear in the
boxes and in the number of records, of which a board never has many.

| array | dtype | shape | meaning                                                                               |
|-------|-------|-------|---------------------------------------------------------------------------------------|
| cache | int32 | (K,)  | records: LENGTH of the whole, boxes, first layer, scale, then description and order   |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.workspace import (
    ALLOW,
    CACHED,
    CLUE_OF,
    LEAST,
    MEMBERS,
    MOST,
    N_CLUES,
    NEED,
    PLACE,
    REUSED,
    SIZE,
    TRIAL,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]

# What a record begins with.
LENGTH, N_BOXES, RECORD_LAYER, RECORD_SCALE, DESCRIPTION = 0, 1, 2, 3, 4


@inner_kernel
def describe(first: int, last: int, boolean: bool, rows: Ints, clues: Ints, used: Longs, cache: Ints) -> int:
    """Write the description of a component behind the last record; return its length, or 0 if there is no room."""
    start = used[CACHED] + DESCRIPTION
    # At most 5 numbers a box, 3 a clue of it, and the order.
    if start + 1 + 30 * (last - first) > cache.size:
        return 0
    at = start
    cache[at] = 1 if boolean else 0
    at += 1
    for i in range(first, last):
        box = np.uint32(rows[MEMBERS, i])
        n_clues = rows[N_CLUES, box]
        cache[at] = rows[PLACE, box]
        cache[at + 1] = rows[SIZE, box]
        cache[at + 2] = rows[LEAST, box]
        cache[at + 3] = rows[MOST, box]
        cache[at + 4] = n_clues
        at += 5
        for k in range(n_clues):
            clue = np.uint32(clues[box, k])
            cache[at] = rows[CLUE_OF, clue]
            cache[at + 1] = rows[NEED, clue]
            cache[at + 2] = rows[ALLOW, clue]
            at += 3
    return int(at - start)


@inner_kernel
def recall(first: int, last: int, length: int, rows: Ints, used: Longs, cache: Ints) -> int:
    """Find the record with the description just written and put the boxes into its order; return it, or -1."""
    fresh = used[CACHED] + DESCRIPTION
    n_boxes = last - first
    record = 0
    while record < used[CACHED]:
        if cache[record + N_BOXES] == n_boxes and cache[record + LENGTH] == DESCRIPTION + length + n_boxes:
            same = True
            for i in range(length):
                if cache[record + DESCRIPTION + i] != cache[fresh + i]:
                    same = False
                    break
            if same:
                order = record + DESCRIPTION + length
                for i in range(n_boxes):
                    rows[TRIAL, first + i] = rows[MEMBERS, first + cache[order + i]]
                for i in range(first, last):
                    rows[MEMBERS, i] = rows[TRIAL, i]
                used[REUSED] += 1
                return record
        record += cache[record + LENGTH]
    return -1


@inner_kernel
def remember(
    first: int, last: int, length: int, first_layer: int, scale: float, rows: Ints, used: Longs, cache: Ints
) -> None:
    """Keep the description just written as a record, with the order that the boxes are in now.

    The description was written from the boxes in ascending order, so their ranks tell the order.
    """
    record = used[CACHED]
    cache[record + LENGTH] = DESCRIPTION + length + last - first
    cache[record + N_BOXES] = last - first
    cache[record + RECORD_LAYER] = first_layer
    cache[record + RECORD_SCALE] = int(scale)
    order = record + DESCRIPTION + length
    for i in range(first, last):
        rank = 0
        for k in range(first, last):
            rank += rows[MEMBERS, k] < rows[MEMBERS, i]
        cache[order + i - first] = rank
    used[CACHED] += cache[record + LENGTH]
