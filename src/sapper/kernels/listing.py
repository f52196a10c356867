"""Small components by listing every way to fill their boxes.

Most components of real positions have a handful of boxes and fewer than ten ways to fill them. Walking those ways one
by one is several times as quick as merging states. The walk gives up beyond MAX_WAYS or MAX_STEPS, and the component
is summed by elimination instead. All weights are integers below 2^53, so every sum here is exact.

| array   | dtype   | shape           | meaning                                                                        |
|---------|---------|-----------------|--------------------------------------------------------------------------------|
| walk    | int32   | (WALK,)         | scratch: by step, the count of its box, the most it may have, the mines so far |
| bounds  | int32   | (MAX_BOXES, 16) | scratch: by step and clue of its box, least and most mines once it is filled   |
| ways    | float64 | (MAX_BOXES + 1,)| scratch: by step, in how many ways the boxes before can be filled              |
| listed  | float64 | (k + 1, span)   | out: weight by mines of the component; then by box, the same times its mines   |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.workspace import (
    AFTER_LEAST,
    AFTER_MOST,
    ALLOW,
    BEFORE_LEAST,
    LEAST,
    MEMBERS,
    MOST,
    N_CLUES,
    NEED,
    REST_LEAST,
    REST_MOST,
    SIZE,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]

MAX_BOXES = 16
MAX_CELLS = 48  # 2^48 ways at most: exact in a float
MAX_SPAN = 24
MAX_WAYS = 24
MAX_STEPS = 160

SUMS = BEFORE_LEAST  # by clue: mines in its boxes that are filled


@inner_kernel
def is_small(first: int, last: int, rows: Ints) -> tuple[bool, int, int]:
    """Whether a component may be listed; the fewest mines in its boxes, and how many numbers of mines there may be."""
    n_cells, fewest, most = 0, 0, 0
    for at in range(first, last):
        box = np.uint32(rows[MEMBERS, at])
        n_cells += rows[SIZE, box]
        fewest += rows[LEAST, box]
        most += rows[MOST, box]
    span = most - fewest + 1
    return last - first <= MAX_BOXES and n_cells <= MAX_CELLS and span <= MAX_SPAN, fewest, span


@inner_kernel
def list_component(
    first: int,
    last: int,
    fewest: int,
    span: int,
    factor: Floats,
    rows: Ints,
    clues: Ints,
    walk: Ints,
    bounds: Ints,
    ways: Floats,
    listed: Floats,
) -> bool:
    """Fill ``listed``; return False if there are too many ways. A component without any has no weight anywhere."""
    n_boxes = last - first
    for at in range(first, last):
        box = np.uint32(rows[MEMBERS, at])
        for i in range(rows[N_CLUES, box]):
            clue = np.uint32(clues[box, i])
            rows[SUMS, clue] = 0
            rows[AFTER_LEAST, clue] = rows[REST_LEAST, clue]
            rows[AFTER_MOST, clue] = rows[REST_MOST, clue]
    for step in range(n_boxes):
        box = np.uint32(rows[MEMBERS, first + step])
        for i in range(rows[N_CLUES, box]):
            clue = np.uint32(clues[box, i])
            rows[AFTER_LEAST, clue] -= rows[LEAST, box]
            rows[AFTER_MOST, clue] -= rows[MOST, box]
            bounds[step, i] = rows[NEED, clue] - rows[AFTER_MOST, clue]
            bounds[step, 8 + i] = rows[ALLOW, clue] - rows[AFTER_LEAST, clue]
    for i in range((n_boxes + 1) * span):
        listed[i] = 0.0

    n_ways, n_steps = 0, 0
    step = 0
    walk[2 * MAX_BOXES] = -fewest
    ways[0] = 1.0
    forwards = True
    while True:
        if forwards and step == n_boxes:
            n_ways += 1
            if n_ways > MAX_WAYS:
                return False
            mines = walk[2 * MAX_BOXES + step]
            weight = ways[step]
            listed[mines] += weight
            for k in range(n_boxes):
                listed[(k + 1) * span + mines] += walk[k] * weight
            forwards = False
            step -= 1
            continue
        box = np.uint32(rows[MEMBERS, first + step])
        n_touching = rows[N_CLUES, box]
        if forwards:
            n_steps += 1
            if n_steps > MAX_STEPS:
                return False
            low, high = rows[LEAST, box], rows[MOST, box]
            for i in range(n_touching):
                so_far = rows[SUMS, np.uint32(clues[box, i])]
                low = max(low, bounds[step, i] - so_far)
                high = min(high, bounds[step, 8 + i] - so_far)
            count, change = low, low
            walk[MAX_BOXES + step] = high
        else:
            # Back at a box: one mine more if it may have one, otherwise leave it as it was found.
            count = walk[step] + 1
            high = walk[MAX_BOXES + step]
            change = 1 if count <= high else 1 - count
        forwards = count <= high
        if forwards or change <= 0:
            for i in range(n_touching):
                rows[SUMS, np.uint32(clues[box, i])] += change
        if forwards:
            walk[step] = count
            walk[2 * MAX_BOXES + step + 1] = walk[2 * MAX_BOXES + step] + count
            ways[step + 1] = ways[step] * factor[rows[SIZE, box], count]
            step += 1
        else:
            step -= 1
            if step < 0:
                return True


@inner_kernel
def trim_listed(span: int, listed: Floats) -> tuple[int, int]:
    """Return the first number of mines that has weight, and how many there are from it to the last; 0 if none has."""
    start, end = 0, span
    while end > 0 and listed[end - 1] == 0.0:
        end -= 1
    while start < end and listed[start] == 0.0:
        start += 1
    return start, end - start


@inner_kernel
def weigh_listed(
    first: int,
    last: int,
    start: int,
    length: int,
    span: int,
    track: int,
    odds: float,
    listed: Floats,
    closing: Floats,
    rows: Ints,
    sums: Floats,
) -> None:
    """Weigh every box of a listed component.

    ``closing`` is the weight of the rest by entry; with the total unknown (``track`` 0) each mine counts its odds.
    """
    for k in range(last - first):
        box = np.uint32(rows[MEMBERS, first + k])
        size = float(rows[SIZE, box])
        mined, clear, power = 0.0, 0.0, 1.0
        for i in range(length):
            weight, with_mines = listed[start + i], listed[(k + 1) * span + start + i]
            around = closing[i] if track == 1 else power
            mined += with_mines * around
            clear += (size * weight - with_mines) * around
            power *= odds
        sums[0, box], sums[1, box] = mined, clear
