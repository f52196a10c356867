"""Choose the elimination order of a component's boxes.

The cost of an elimination is its number of states, which is exponential in the clues that are open at once. On hard
positions the order decides everything, and no single heuristic is good everywhere. So the cost of several orders is
estimated and the cheapest wins: sweeps by rows, columns, pairs of them and the two diagonals, and greedy orders that
keep the number of sums low. A component that is easy in its first order keeps it. An estimate is linear in the boxes, a
greedy order quadratic at worst.

A component is ``members[first]`` to ``members[last - 1]``, before and after.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import Component, Frontier
from sapper.kernels.language import *

FEW_BOXES = 10  # components of at most this size keep their order
EASY = 500.0  # so do components with at most this many states per box

N_SWEEPS = 6
N_TRIALS = 8


def start_clues(frontier: Frontier, component: Component, first: Int, last: Int) -> None:
    """Reset the counts of every clue of the component: no box is eliminated yet."""
    for at in range(first, last):
        box = frontier.members[at]
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            component.before_min[clue] = 0
            component.before_max[clue] = 0
            component.after_min[clue] = frontier.rest_min[clue]
            component.after_max[clue] = frontier.rest_max[clue]
            component.after_boxes[clue] = frontier.boxes_left[clue]


def growth_by(frontier: Frontier, component: Component, box: Int) -> Double:
    """Return the factor by which eliminating a box multiplies the possible sums of the open clues."""
    growth: Double = 1.0
    min_mines, max_mines = frontier.min_mines[box], frontier.max_mines[box]
    for i in range(frontier.n_clues[box]):
        clue = frontier.clues[box, i]
        # The boxes before bound the sum so far, and so do those after.
        low, high = component.before_min[clue], component.before_max[clue]
        floor, ceiling = (
            frontier.need[clue] - component.after_max[clue],
            frontier.allow[clue] - component.after_min[clue],
        )
        if high > 0:  # a free box can hold a mine, so the clue is open
            growth /= max(1, min(high, ceiling) - max(low, floor) + 1)
        if component.after_boxes[clue] > 1:
            growth *= max(1, min(high + max_mines, ceiling + min_mines) - max(low + min_mines, floor + max_mines) + 1)
    return growth


def take_box(frontier: Frontier, component: Component, box: Int) -> None:
    """Count a box as eliminated."""
    for i in range(frontier.n_clues[box]):
        clue = frontier.clues[box, i]
        component.before_min[clue] += frontier.min_mines[box]
        component.before_max[clue] += frontier.max_mines[box]
        component.after_min[clue] -= frontier.min_mines[box]
        component.after_max[clue] -= frontier.max_mines[box]
        component.after_boxes[clue] -= 1


def estimate(frontier: Frontier, component: Component, first: Int, last: Int, give_up: Double) -> Double:
    """Return an upper bound on the number of states of the trial order; stop beyond ``give_up``."""
    start_clues(frontier, component, first, last)
    product = 1.0
    states = 1.0
    cost = 0.0
    for at in range(first, last):
        box = component.trial[at]
        product *= growth_by(frontier, component, box)
        take_box(frontier, component, box)
        states = min(states * (frontier.max_mines[box] - frontier.min_mines[box] + 1), product)
        cost += states
        if cost > give_up:
            break
    return cost


def order_greedily(frontier: Frontier, component: Component, start: Int, first: Int, last: Int) -> None:
    """Order the boxes greedily from ``start``: next is the box that leaves the open clues the fewest possible sums."""
    start_clues(frontier, component, first, last)
    for at in range(first, last):
        component.taken[frontier.members[at]] = 0
    component.candidate[0] = start
    component.taken[start] = 1
    n_candidates = 1
    for at in range(first, last):
        best = 0
        best_growth = 1e300
        for k in range(n_candidates):
            growth = growth_by(frontier, component, component.candidate[k])
            # Ties go to the oldest candidate, which belongs to the oldest open clues.
            if growth < best_growth * 0.999999:
                best_growth = growth
                best = k
        box = component.candidate[best]
        n_candidates -= 1
        for k in range(best, n_candidates):
            component.candidate[k] = component.candidate[k + 1]
        component.trial[at] = box
        take_box(frontier, component, box)
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            for k in range(frontier.n_boxes[clue]):
                other = frontier.boxes[clue, k]
                if frontier.min_mines[other] != frontier.max_mines[other] and component.taken[other] == 0:
                    component.taken[other] = 1
                    component.candidate[n_candidates] = other
                    n_candidates += 1


def sweep(frontier: Frontier, component: Component, direction: Int, cols: Int, first: Int, last: Int) -> None:
    """Order by columns (0), along a diagonal (1), the other (2), by rows (3), by pairs of columns (4) or of rows (5).

    Pairs of lines close the clues between them together, which suits lattices. Shellsort needs no memory and is fast
    enough for a frontier.
    """
    for at in range(first, last):
        box = frontier.members[at]
        row, col = frontier.first_cell[box] // cols, frontier.first_cell[box] % cols
        component.trial[at] = box
        if direction < 3:
            major = col if direction == 0 else row + col if direction == 1 else row - col
            component.sort_key[at] = major * 1024 + row
        elif direction == 3:
            component.sort_key[at] = row * 1024 + col
        elif direction == 4:
            component.sort_key[at] = (col // 2) * 2048 + 2 * row + col % 2
        else:
            component.sort_key[at] = (row // 2) * 2048 + 2 * col + row % 2
    gap = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            box, key = component.trial[i], component.sort_key[i]
            j = i
            while j >= first + gap and component.sort_key[j - gap] > key:
                component.trial[j] = component.trial[j - gap]
                component.sort_key[j] = component.sort_key[j - gap]
                j -= gap
            component.trial[j], component.sort_key[j] = box, key
        gap //= 3


def choose_order(frontier: Frontier, component: Component, first: Int, last: Int, cols: Int) -> None:
    """Rearrange a component, which comes ordered by rows, into the cheapest order found."""
    if last - first <= FEW_BOXES:
        return
    for at in range(first, last):
        component.trial[at] = frontier.members[at]
    best = estimate(frontier, component, first, last, 1e300)
    if best <= EASY * (last - first):
        return
    head, tail = frontier.members[first], frontier.members[last - 1]
    for trial in range(N_TRIALS):
        if trial < N_SWEEPS:
            sweep(frontier, component, trial, cols, first, last)
        else:
            order_greedily(frontier, component, head if trial == N_SWEEPS else tail, first, last)
        cost = estimate(frontier, component, first, last, best)
        if cost < best:
            best = cost
            for at in range(first, last):
                frontier.members[at] = component.trial[at]
