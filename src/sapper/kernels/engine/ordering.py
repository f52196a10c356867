"""In which order to eliminate the boxes of a component.

The cost of a summation is the number of states, which is exponential in the clues that are open at once; on hard
positions the order decides everything, and no single rule for it is good everywhere. So several orders are proposed,
the cost of each is estimated beforehand, and the cheapest wins: sweeps by rows, columns, pairs of them and the two
diagonals, and greedy ones that keep the open clues few. A component that the first sweep finds easy is not looked at
twice. An estimate is linear in the boxes, a greedy order quadratic at worst.

A component is ``members[first]`` to ``members[last - 1]``, before and after.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Int, inner

# So few boxes are summed before any order has been estimated.
FEW_BOXES = 10
# A component whose first order needs at most this many states per box is summed as it is.
EASY = 500.0

N_SWEEPS = 6
N_TRIALS = 8


@inner
def start_clues(ws: Workspace, first: Int, last: Int) -> None:
    """Set the tallies of every clue of the component to: nothing summed yet."""
    for at in range(first, last):
        box = ws.members[at]
        for i in range(ws.n_clues[box]):
            clue = ws.clues[box, i]
            ws.before_least[clue] = 0
            ws.before_most[clue] = 0
            ws.after_least[clue] = ws.rest_least[clue]
            ws.after_most[clue] = ws.rest_most[clue]
            ws.after_boxes[clue] = ws.n_left[clue]


@inner
def growth_by(ws: Workspace, box: Int) -> Double:
    """By what factor summing a box multiplies the sums that the open clues allow."""
    growth: Double = 1.0
    least, most = ws.least[box], ws.most[box]
    for i in range(ws.n_clues[box]):
        clue = ws.clues[box, i]
        # The sums so far lie between what the boxes before can hold and what those after leave.
        low, high = ws.before_least[clue], ws.before_most[clue]
        floor, ceiling = ws.need[clue] - ws.after_most[clue], ws.allow[clue] - ws.after_least[clue]
        if high > 0:  # a free box can hold a mine, so this means: open
            growth /= max(1, min(high, ceiling) - max(low, floor) + 1)
        if ws.after_boxes[clue] > 1:
            growth *= max(1, min(high + most, ceiling + least) - max(low + least, floor + most) + 1)
    return growth


@inner
def take_box(ws: Workspace, box: Int) -> None:
    """Count a box as summed."""
    for i in range(ws.n_clues[box]):
        clue = ws.clues[box, i]
        ws.before_least[clue] += ws.least[box]
        ws.before_most[clue] += ws.most[box]
        ws.after_least[clue] -= ws.least[box]
        ws.after_most[clue] -= ws.most[box]
        ws.after_boxes[clue] -= 1


@inner
def estimate(ws: Workspace, first: Int, last: Int, give_up: Double) -> Double:
    """Return an upper bound on the states of all steps of the trial order together; stops beyond ``give_up``."""
    start_clues(ws, first, last)
    product = 1.0
    states = 1.0
    cost = 0.0
    for at in range(first, last):
        box = ws.trial[at]
        product *= growth_by(ws, box)
        take_box(ws, box)
        states = min(states * (ws.most[box] - ws.least[box] + 1), product)
        cost += states
        if cost > give_up:
            break
    return cost


@inner
def order_greedily(ws: Workspace, start: Int, first: Int, last: Int) -> None:
    """Order the boxes from ``start`` on: next is always the one after which the open clues allow the fewest sums."""
    start_clues(ws, first, last)
    for at in range(first, last):
        ws.taken[ws.members[at]] = 0
    ws.candidate[0] = start
    ws.taken[start] = 1
    n_candidates = 1
    for at in range(first, last):
        best = 0
        best_growth = 1e300
        for k in range(n_candidates):
            growth = growth_by(ws, ws.candidate[k])
            # Among equals the one that has waited longest: it belongs to the oldest open clues.
            if growth < best_growth * 0.999999:
                best_growth = growth
                best = k
        box = ws.candidate[best]
        n_candidates -= 1
        for k in range(best, n_candidates):
            ws.candidate[k] = ws.candidate[k + 1]
        ws.trial[at] = box
        take_box(ws, box)
        for i in range(ws.n_clues[box]):
            clue = ws.clues[box, i]
            for k in range(ws.n_boxes[clue]):
                other = ws.boxes[clue, k]
                if ws.least[other] != ws.most[other] and ws.taken[other] == 0:
                    ws.taken[other] = 1
                    ws.candidate[n_candidates] = other
                    n_candidates += 1


@inner
def sweep(ws: Workspace, direction: Int, cols: Int, first: Int, last: Int) -> None:
    """Order by columns (0), along a diagonal (1), the other (2), by rows (3), by pairs of columns (4) or of rows (5).

    Pairs of lines close the clues between them at once, which suits lattices. Shell's method sorts: short, no memory,
    quick enough for a frontier.
    """
    for at in range(first, last):
        box = ws.members[at]
        row, col = ws.place[box] // cols, ws.place[box] % cols
        ws.trial[at] = box
        if direction < 3:
            major = col if direction == 0 else row + col if direction == 1 else row - col
            ws.sort_key[at] = major * 1024 + row
        elif direction == 3:
            ws.sort_key[at] = row * 1024 + col
        elif direction == 4:
            ws.sort_key[at] = (col // 2) * 2048 + 2 * row + col % 2
        else:
            ws.sort_key[at] = (row // 2) * 2048 + 2 * col + row % 2
    gap = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            box, key = ws.trial[i], ws.sort_key[i]
            j = i
            while j >= first + gap and ws.sort_key[j - gap] > key:
                ws.trial[j] = ws.trial[j - gap]
                ws.sort_key[j] = ws.sort_key[j - gap]
                j -= gap
            ws.trial[j], ws.sort_key[j] = box, key
        gap //= 3


@inner
def choose_order(ws: Workspace, first: Int, last: Int, cols: Int) -> None:
    """Rearrange a component, which comes in by rows, into the cheapest order found."""
    if last - first <= FEW_BOXES:
        return
    for at in range(first, last):
        ws.trial[at] = ws.members[at]
    best = estimate(ws, first, last, 1e300)
    if best <= EASY * (last - first):
        return
    head, tail = ws.members[first], ws.members[last - 1]
    for trial in range(N_TRIALS):
        if trial < N_SWEEPS:
            sweep(ws, trial, cols, first, last)
        else:
            order_greedily(ws, head if trial == N_SWEEPS else tail, first, last)
        cost = estimate(ws, first, last, best)
        if cost < best:
            best = cost
            for at in range(first, last):
                ws.members[at] = ws.trial[at]
