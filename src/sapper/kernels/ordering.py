"""In which order to eliminate the boxes of a component.

The cost of a summation is the number of states, which is exponential in the clues that are open at once; on hard
positions the order decides everything, and no single rule for it is good everywhere. So several orders are proposed,
the cost of each is estimated beforehand, and the cheapest wins: sweeps by rows, columns, pairs of them and the two
diagonals, and greedy ones that keep the open clues few. A component that the first sweep finds easy is not looked at
twice. An estimate is linear in the boxes, a greedy order quadratic at worst.

Arrays: see workspace.py. A component is rows[MEMBERS, first:last], in and out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.workspace import (
    AFTER_BOXES,
    AFTER_LEAST,
    AFTER_MOST,
    ALLOW,
    BEFORE_LEAST,
    BEFORE_MOST,
    CANDIDATE,
    LEAST,
    MEMBERS,
    MOST,
    N_BOXES,
    N_CLUES,
    N_LEFT,
    NEED,
    PLACE,
    REST_LEAST,
    REST_MOST,
    SORT_KEY,
    TAKEN,
    TRIAL,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

# So few boxes are summed before any order has been estimated.
FEW = 10
# A component whose first order needs at most this many states per box is summed as it is.
EASY = 500.0

N_SWEEPS = 6
N_TRIALS = 8


@inner_kernel
def start_clues(first: int, last: int, rows: Ints, clues: Ints) -> None:
    """Set the tallies of every clue of the component to: nothing summed yet."""
    for at in range(first, last):
        box = np.uint32(rows[MEMBERS, at])
        for i in range(rows[N_CLUES, box]):
            clue = np.uint32(clues[box, i])
            rows[BEFORE_LEAST, clue] = 0
            rows[BEFORE_MOST, clue] = 0
            rows[AFTER_LEAST, clue] = rows[REST_LEAST, clue]
            rows[AFTER_MOST, clue] = rows[REST_MOST, clue]
            rows[AFTER_BOXES, clue] = rows[N_LEFT, clue]


@inner_kernel
def grow(rows: Ints, clues: Ints, box: int) -> float:
    """By what factor summing a box multiplies the sums that the open clues allow."""
    growth = 1.0
    least, most = rows[LEAST, box], rows[MOST, box]
    for i in range(rows[N_CLUES, box]):
        clue = np.uint32(clues[box, i])
        # The sums so far lie between what the boxes before can hold and what those after leave.
        low, high = rows[BEFORE_LEAST, clue], rows[BEFORE_MOST, clue]
        floor, ceiling = rows[NEED, clue] - rows[AFTER_MOST, clue], rows[ALLOW, clue] - rows[AFTER_LEAST, clue]
        if high > 0:  # a free box can hold a mine, so this means: open
            growth /= max(1, min(high, ceiling) - max(low, floor) + 1)
        if rows[AFTER_BOXES, clue] > 1:
            growth *= max(1, min(high + most, ceiling + least) - max(low + least, floor + most) + 1)
    return growth


@inner_kernel
def take(rows: Ints, clues: Ints, box: int) -> None:
    """Count a box as summed."""
    for i in range(rows[N_CLUES, box]):
        clue = np.uint32(clues[box, i])
        rows[BEFORE_LEAST, clue] += rows[LEAST, box]
        rows[BEFORE_MOST, clue] += rows[MOST, box]
        rows[AFTER_LEAST, clue] -= rows[LEAST, box]
        rows[AFTER_MOST, clue] -= rows[MOST, box]
        rows[AFTER_BOXES, clue] -= 1


@inner_kernel
def estimate(first: int, last: int, rows: Ints, clues: Ints, give_up: float) -> float:
    """Return an upper bound on the states of all steps of the trial order together; stops beyond ``give_up``."""
    start_clues(first, last, rows, clues)
    product = 1.0
    states = 1.0
    cost = 0.0
    for at in range(first, last):
        box = np.uint32(rows[TRIAL, at])
        product *= grow(rows, clues, box)
        take(rows, clues, box)
        states = min(states * (rows[MOST, box] - rows[LEAST, box] + 1), product)
        cost += states
        if cost > give_up:
            break
    return cost


@inner_kernel
def order_greedily(start: int, first: int, last: int, rows: Ints, clues: Ints, boxes: Ints) -> None:
    """Order the boxes from ``start`` on: next is always the one after which the open clues allow the fewest sums."""
    start_clues(first, last, rows, clues)
    for at in range(first, last):
        rows[TAKEN, rows[MEMBERS, at]] = 0
    rows[CANDIDATE, 0] = start
    rows[TAKEN, start] = 1
    n_candidates = 1
    for at in range(first, last):
        best = 0
        best_growth = 1e300
        for k in range(n_candidates):
            growth = grow(rows, clues, np.uint32(rows[CANDIDATE, k]))
            # Among equals the one that has waited longest: it belongs to the oldest open clues.
            if growth < best_growth * 0.999999:
                best_growth = growth
                best = k
        box = np.uint32(rows[CANDIDATE, best])
        n_candidates -= 1
        for k in range(best, n_candidates):
            rows[CANDIDATE, k] = rows[CANDIDATE, k + 1]
        rows[TRIAL, at] = box
        take(rows, clues, box)
        for i in range(rows[N_CLUES, box]):
            clue = np.uint32(clues[box, i])
            for k in range(rows[N_BOXES, clue]):
                other = np.uint32(boxes[clue, k])
                if rows[LEAST, other] != rows[MOST, other] and rows[TAKEN, other] == 0:
                    rows[TAKEN, other] = 1
                    rows[CANDIDATE, n_candidates] = other
                    n_candidates += 1


@inner_kernel
def sweep(direction: int, cols: int, first: int, last: int, rows: Ints) -> None:
    """Order by columns (0), along a diagonal (1), the other (2), by rows (3), by pairs of columns (4) or of rows (5).

    Pairs of lines close the clues between them at once, which suits lattices. Shell's method sorts: short, no memory,
    quick enough for a frontier.
    """
    for at in range(first, last):
        box = rows[MEMBERS, at]
        row, col = rows[PLACE, box] // cols, rows[PLACE, box] % cols
        rows[TRIAL, at] = box
        if direction < 3:
            major = col if direction == 0 else row + col if direction == 1 else row - col
            rows[SORT_KEY, at] = major * 1024 + row
        elif direction == 3:
            rows[SORT_KEY, at] = row * 1024 + col
        elif direction == 4:
            rows[SORT_KEY, at] = (col // 2) * 2048 + 2 * row + col % 2
        else:
            rows[SORT_KEY, at] = (row // 2) * 2048 + 2 * col + row % 2
    gap = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            box, key = rows[TRIAL, i], rows[SORT_KEY, i]
            j = i
            while j >= first + gap and rows[SORT_KEY, j - gap] > key:
                rows[TRIAL, j] = rows[TRIAL, j - gap]
                rows[SORT_KEY, j] = rows[SORT_KEY, j - gap]
                j -= gap
            rows[TRIAL, j], rows[SORT_KEY, j] = box, key
        gap //= 3


@inner_kernel
def choose_order(first: int, last: int, cols: int, rows: Ints, clues: Ints, boxes: Ints) -> float:
    """Rearrange a component, which comes in by rows, into the cheapest order found; return its estimated cost."""
    if last - first <= FEW:
        return float(last - first)
    for at in range(first, last):
        rows[TRIAL, at] = rows[MEMBERS, at]
    best = estimate(first, last, rows, clues, 1e300)
    if best <= EASY * (last - first):
        return best
    head, tail = rows[MEMBERS, first], rows[MEMBERS, last - 1]
    for trial in range(N_TRIALS):
        if trial < N_SWEEPS:
            sweep(trial, cols, first, last, rows)
        else:
            order_greedily(head if trial == N_SWEEPS else tail, first, last, rows, clues, boxes)
        cost = estimate(first, last, rows, clues, best)
        if cost < best:
            best = cost
            for at in range(first, last):
                rows[MEMBERS, at] = rows[TRIAL, at]
    return best
