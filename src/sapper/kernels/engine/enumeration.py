"""Small components by listing every way to fill their boxes.

Most components of real positions have a handful of boxes and fewer than ten ways to fill them. Walking those ways one
by one is several times as quick as merging states. The walk gives up beyond MAX_WAYS or MAX_STEPS, and the component
is summed by elimination instead. All weights are integers below 2^53, so every sum here is exact.

A list takes (boxes + 1) rows of ``span`` entries in the pool of weights: the weight by mines of the component, then for
each box the same times its mines.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import MAX_LISTED, Frontier, Pools, Workspace
from sapper.kernels.language import Double, Flag, Int, inner

MAX_LISTED_CELLS = 48  # 2^48 ways at most: exact in a float
MAX_SPAN = 24
MAX_WAYS = 24
MAX_STEPS = 160


@inner
def is_small(frontier: Frontier, first: Int, last: Int) -> tuple[Flag, Int, Int]:
    """Whether a component may be listed; the fewest mines in its boxes, and how many numbers of mines there may be."""
    n_cells: Int = 0
    fewest: Int = 0
    most: Int = 0
    for at in range(first, last):
        box = frontier.members[at]
        n_cells += frontier.size[box]
        fewest += frontier.least[box]
        most += frontier.most[box]
    span = most - fewest + 1
    return last - first <= MAX_LISTED and n_cells <= MAX_LISTED_CELLS and span <= MAX_SPAN, fewest, span


@inner
def bound_steps(ws: Workspace, first: Int, last: Int) -> None:
    """Note for every step how many mines each clue of its box must have by then, and may have."""
    for at in range(first, last):
        box = ws.frontier.members[at]
        for i in range(ws.frontier.n_clues[box]):
            clue = ws.frontier.clues[box, i]
            ws.component.before_least[clue] = 0
            ws.component.after_least[clue] = ws.frontier.rest_least[clue]
            ws.component.after_most[clue] = ws.frontier.rest_most[clue]
    for step in range(last - first):
        box = ws.frontier.members[first + step]
        for i in range(ws.frontier.n_clues[box]):
            clue = ws.frontier.clues[box, i]
            ws.component.after_least[clue] -= ws.frontier.least[box]
            ws.component.after_most[clue] -= ws.frontier.most[box]
            ws.component.floor[step, i] = ws.frontier.need[clue] - ws.component.after_most[clue]
            ws.component.ceiling[step, i] = ws.frontier.allow[clue] - ws.component.after_least[clue]


@inner
def note_way(ws: Workspace, n_boxes: Int, span: Int, listed: Int) -> None:
    """Add one way to fill all boxes to the list."""
    mines = ws.component.put_so_far[n_boxes]
    weight = ws.component.ways[n_boxes]
    ws.pools.weights[listed + mines] += weight
    for k in range(n_boxes):
        ws.pools.weights[listed + (k + 1) * span + mines] += ws.component.put[k] * weight


@inner
def fill_from(ws: Workspace, first: Int, step: Int, n_boxes: Int, span: Int, listed: Int) -> Flag:
    """Fill the boxes from a step on in every way, depth first; return False once there are too many ways.

    ``before_least`` is, by clue, the mines in those of its boxes that are filled.
    """
    low: Int
    high: Int
    going: Flag
    if step == n_boxes:
        ws.component.n_ways += 1
        if ws.component.n_ways > MAX_WAYS:
            return False
        note_way(ws, n_boxes, span, listed)
        return True
    ws.component.n_steps += 1
    if ws.component.n_steps > MAX_STEPS:
        return False
    box = ws.frontier.members[first + step]
    low, high = ws.frontier.least[box], ws.frontier.most[box]
    for i in range(ws.frontier.n_clues[box]):
        so_far = ws.component.before_least[ws.frontier.clues[box, i]]
        low = max(low, ws.component.floor[step, i] - so_far)
        high = min(high, ws.component.ceiling[step, i] - so_far)
    for count in range(low, high + 1):
        ws.component.put[step] = count
        ws.component.put_so_far[step + 1] = ws.component.put_so_far[step] + count
        ws.component.ways[step + 1] = ws.component.ways[step] * ws.totals.binomials[ws.frontier.size[box], count]
        for i in range(ws.frontier.n_clues[box]):
            ws.component.before_least[ws.frontier.clues[box, i]] += count
        going = fill_from(ws, first, step + 1, n_boxes, span, listed)
        for i in range(ws.frontier.n_clues[box]):
            ws.component.before_least[ws.frontier.clues[box, i]] -= count
        if not going:
            return False
    return True


@inner
def enumerate_component(ws: Workspace, first: Int, last: Int, fewest: Int, span: Int, listed: Int) -> Flag:
    """Enumerate a component from ``listed`` on; return False if there are too many ways.

    A component that cannot be filled at all has no weight anywhere.
    """
    bound_steps(ws, first, last)
    for i in range((last - first + 1) * span):
        ws.pools.weights[listed + i] = 0.0
    ws.component.put_so_far[0], ws.component.ways[0] = -fewest, 1.0
    ws.component.n_ways, ws.component.n_steps = 0, 0
    return fill_from(ws, first, 0, last - first, span, listed)


@inner
def trim_list(pools: Pools, span: Int, listed: Int) -> tuple[Int, Int]:
    """Return the first number of mines that has weight, and how many there are from it to the last; 0 if none has."""
    start: Int = 0
    end: Int = span
    while end > 0 and pools.weights[listed + end - 1] == 0.0:
        end -= 1
    while start < end and pools.weights[listed + start] == 0.0:
        start += 1
    return start, end - start


@inner
def weigh_enumerated(ws: Workspace, c: Int, track: Int, odds: Double) -> None:
    """Weigh every box of a listed component; with the total unknown (``track`` 0) each mine counts its odds."""
    span, around = ws.pools.list_span[c], ws.totals.begin[c]
    listed = ws.pools.list_at[c] + ws.pools.list_start[c]
    first = ws.frontier.start[c]
    for k in range(ws.frontier.start[c + 1] - first):
        box = ws.frontier.members[first + k]
        size = float(ws.frontier.size[box])
        mined, clear, power = 0.0, 0.0, 1.0
        for i in range(ws.pools.list_length[c]):
            weight, with_mines = ws.pools.weights[listed + i], ws.pools.weights[listed + (k + 1) * span + i]
            outside = ws.totals.outside[around + i] if track == 1 else power
            mined += with_mines * outside
            clear += (size * weight - with_mines) * outside
            power *= odds
        ws.with_mines[box], ws.with_safe[box] = mined, clear


@inner
def enumerate_small_components(ws: Workspace, none: Flag) -> Flag:
    """List the components that are small enough, into the end of the pool of weights; False if one cannot be filled.

    Where ``none`` is set, none of them.
    """
    ws.pools.list_end = ws.pools.weights.shape[0]
    for c in range(ws.frontier.component_count):
        ws.pools.list_at[c] = -1
        if none or ws.by_elimination:
            continue
        first, last = ws.frontier.start[c], ws.frontier.start[c + 1]
        small_enough, fewest, span = is_small(ws.frontier, first, last)
        listed = ws.pools.list_end - (last - first + 1) * span
        if small_enough and listed > ws.pools.n_weights and enumerate_component(ws, first, last, fewest, span, listed):
            ws.pools.list_end = listed
            ws.pools.list_at[c], ws.pools.list_span[c], ws.pools.list_fewest[c] = listed, span, fewest
            start, length = trim_list(ws.pools, span, listed)
            ws.pools.list_start[c], ws.pools.list_length[c] = start, length
            if length == 0:
                return False
    return True
