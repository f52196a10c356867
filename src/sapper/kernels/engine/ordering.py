"""In which order to eliminate the boxes of a component.

The cost of a summation is the number of states, which is exponential in the clues that are open at once; on hard
positions the order decides everything, and no single rule for it is good everywhere. So several orders are proposed,
the cost of each is estimated beforehand, and the cheapest wins: sweeps by rows, columns, pairs of them and the two
diagonals, and greedy ones that keep the open clues few. A component that the first sweep finds easy is not looked at
twice. An estimate is linear in the boxes, a greedy order quadratic at worst.

A component is ``members[first]`` to ``members[last - 1]``, before and after.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import Component, Frontier
from sapper.kernels.language import Double, Int, inner

# So few boxes are summed before any order has been estimated.
FEW_BOXES = 10
# A component whose first order needs at most this many states per box is summed as it is.
EASY = 500.0

N_SWEEPS = 6
N_TRIALS = 8


@inner
def start_clues(component: Component, frontier: Frontier, first: Int, last: Int) -> None:
    """Set the tallies of every clue of the component to: nothing summed yet."""
    for at in range(first, last):
        box = frontier.members[at]
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            component.before_least[clue] = 0
            component.before_most[clue] = 0
            component.after_least[clue] = frontier.rest_least[clue]
            component.after_most[clue] = frontier.rest_most[clue]
            component.after_boxes[clue] = frontier.n_left[clue]


@inner
def growth_by(component: Component, frontier: Frontier, box: Int) -> Double:
    """By what factor summing a box multiplies the sums that the open clues allow."""
    growth: Double = 1.0
    least, most = frontier.least[box], frontier.most[box]
    for i in range(frontier.n_clues[box]):
        clue = frontier.clues[box, i]
        # The sums so far lie between what the boxes before can hold and what those after leave.
        low, high = component.before_least[clue], component.before_most[clue]
        floor, ceiling = (
            frontier.need[clue] - component.after_most[clue],
            frontier.allow[clue] - component.after_least[clue],
        )
        if high > 0:  # a free box can hold a mine, so this means: open
            growth /= max(1, min(high, ceiling) - max(low, floor) + 1)
        if component.after_boxes[clue] > 1:
            growth *= max(1, min(high + most, ceiling + least) - max(low + least, floor + most) + 1)
    return growth


@inner
def take_box(component: Component, frontier: Frontier, box: Int) -> None:
    """Count a box as summed."""
    for i in range(frontier.n_clues[box]):
        clue = frontier.clues[box, i]
        component.before_least[clue] += frontier.least[box]
        component.before_most[clue] += frontier.most[box]
        component.after_least[clue] -= frontier.least[box]
        component.after_most[clue] -= frontier.most[box]
        component.after_boxes[clue] -= 1


@inner
def estimate(component: Component, frontier: Frontier, first: Int, last: Int, give_up: Double) -> Double:
    """Return an upper bound on the states of all steps of the trial order together; stops beyond ``give_up``."""
    start_clues(component, frontier, first, last)
    product = 1.0
    states = 1.0
    cost = 0.0
    for at in range(first, last):
        box = component.trial[at]
        product *= growth_by(component, frontier, box)
        take_box(component, frontier, box)
        states = min(states * (frontier.most[box] - frontier.least[box] + 1), product)
        cost += states
        if cost > give_up:
            break
    return cost


@inner
def order_greedily(component: Component, frontier: Frontier, start: Int, first: Int, last: Int) -> None:
    """Order the boxes from ``start`` on: next is always the one after which the open clues allow the fewest sums."""
    start_clues(component, frontier, first, last)
    for at in range(first, last):
        component.taken[frontier.members[at]] = 0
    component.candidate[0] = start
    component.taken[start] = 1
    n_candidates = 1
    for at in range(first, last):
        best = 0
        best_growth = 1e300
        for k in range(n_candidates):
            growth = growth_by(component, frontier, component.candidate[k])
            # Among equals the one that has waited longest: it belongs to the oldest open clues.
            if growth < best_growth * 0.999999:
                best_growth = growth
                best = k
        box = component.candidate[best]
        n_candidates -= 1
        for k in range(best, n_candidates):
            component.candidate[k] = component.candidate[k + 1]
        component.trial[at] = box
        take_box(component, frontier, box)
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            for k in range(frontier.n_boxes[clue]):
                other = frontier.boxes[clue, k]
                if frontier.least[other] != frontier.most[other] and component.taken[other] == 0:
                    component.taken[other] = 1
                    component.candidate[n_candidates] = other
                    n_candidates += 1


@inner
def sweep(component: Component, frontier: Frontier, direction: Int, cols: Int, first: Int, last: Int) -> None:
    """Order by columns (0), along a diagonal (1), the other (2), by rows (3), by pairs of columns (4) or of rows (5).

    Pairs of lines close the clues between them at once, which suits lattices. Shell's method sorts: short, no memory,
    quick enough for a frontier.
    """
    for at in range(first, last):
        box = frontier.members[at]
        row, col = frontier.place[box] // cols, frontier.place[box] % cols
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


@inner
def choose_order(component: Component, frontier: Frontier, first: Int, last: Int, cols: Int) -> None:
    """Rearrange a component, which comes in by rows, into the cheapest order found."""
    if last - first <= FEW_BOXES:
        return
    for at in range(first, last):
        component.trial[at] = frontier.members[at]
    best = estimate(component, frontier, first, last, 1e300)
    if best <= EASY * (last - first):
        return
    head, tail = frontier.members[first], frontier.members[last - 1]
    for trial in range(N_TRIALS):
        if trial < N_SWEEPS:
            sweep(component, frontier, trial, cols, first, last)
        else:
            order_greedily(component, frontier, head if trial == N_SWEEPS else tail, first, last)
        cost = estimate(component, frontier, first, last, best)
        if cost < best:
            best = cost
            for at in range(first, last):
                frontier.members[at] = component.trial[at]
