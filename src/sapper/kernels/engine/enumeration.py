"""Small components by listing every way to fill their boxes.

Most components of real positions have a handful of boxes and fewer than ten ways to fill them. Walking those ways one
by one is several times as quick as merging states. The walk gives up beyond MAX_WAYS or MAX_STEPS, and the component
is summed by elimination instead. All weights are integers below 2^53, so every sum here is exact.

A list takes (boxes + 1) rows of ``span`` entries in the pool of weights: the weight by mines of the component, then for
each box the same times its mines.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import MAX_LISTED, Workspace
from sapper.kernels.language import Double, Flag, Int, inner

MAX_LISTED_CELLS = 48  # 2^48 ways at most: exact in a float
MAX_SPAN = 24
MAX_WAYS = 24
MAX_STEPS = 160


@inner
def is_small(ws: Workspace, first: Int, last: Int) -> tuple[Flag, Int, Int]:
    """Whether a component may be listed; the fewest mines in its boxes, and how many numbers of mines there may be."""
    n_cells: Int = 0
    fewest: Int = 0
    most: Int = 0
    for at in range(first, last):
        box = ws.members[at]
        n_cells += ws.size[box]
        fewest += ws.least[box]
        most += ws.most[box]
    span = most - fewest + 1
    return last - first <= MAX_LISTED and n_cells <= MAX_LISTED_CELLS and span <= MAX_SPAN, fewest, span


@inner
def bound_steps(ws: Workspace, first: Int, last: Int) -> None:
    """Note for every step how many mines each clue of its box must have by then, and may have."""
    for at in range(first, last):
        box = ws.members[at]
        for i in range(ws.n_clues[box]):
            clue = ws.clues[box, i]
            ws.before_least[clue] = 0
            ws.after_least[clue] = ws.rest_least[clue]
            ws.after_most[clue] = ws.rest_most[clue]
    for step in range(last - first):
        box = ws.members[first + step]
        for i in range(ws.n_clues[box]):
            clue = ws.clues[box, i]
            ws.after_least[clue] -= ws.least[box]
            ws.after_most[clue] -= ws.most[box]
            ws.floor[step, i] = ws.need[clue] - ws.after_most[clue]
            ws.ceiling[step, i] = ws.allow[clue] - ws.after_least[clue]


@inner
def note_way(ws: Workspace, n_boxes: Int, span: Int, listed: Int) -> None:
    """Add one way to fill all boxes to the list."""
    mines = ws.put_so_far[n_boxes]
    weight = ws.ways[n_boxes]
    ws.weights[listed + mines] += weight
    for k in range(n_boxes):
        ws.weights[listed + (k + 1) * span + mines] += ws.put[k] * weight


@inner
def list_component(ws: Workspace, first: Int, last: Int, fewest: Int, span: Int, listed: Int) -> Flag:
    """List a component from ``listed`` on; return False if there are too many ways.

    A component that cannot be filled at all has no weight anywhere. ``before_least`` is, by clue, the mines in those of
    its boxes that are filled.
    """
    forwards: Flag = True
    low: Int
    high: Int
    count: Int
    change: Int
    n_ways: Int = 0
    n_steps: Int = 0
    step: Int = 0
    n_boxes = last - first
    bound_steps(ws, first, last)
    for i in range((n_boxes + 1) * span):
        ws.weights[listed + i] = 0.0
    ws.put_so_far[0] = -fewest
    ws.ways[0] = 1.0
    while step >= 0:
        if step == n_boxes:
            n_ways += 1
            if n_ways > MAX_WAYS:
                return False
            note_way(ws, n_boxes, span, listed)
            forwards = False
            step -= 1
            continue
        box = ws.members[first + step]
        if forwards:
            n_steps += 1
            if n_steps > MAX_STEPS:
                return False
            low, high = ws.least[box], ws.most[box]
            for i in range(ws.n_clues[box]):
                so_far = ws.before_least[ws.clues[box, i]]
                low = max(low, ws.floor[step, i] - so_far)
                high = min(high, ws.ceiling[step, i] - so_far)
            count, change = low, low
            ws.put_most[step] = high
        else:
            # Back at a box: one mine more if it may have one, otherwise leave it as it was found.
            count = ws.put[step] + 1
            high = ws.put_most[step]
            change = 1 if count <= high else 1 - count
        forwards = count <= high
        if forwards or change <= 0:
            for i in range(ws.n_clues[box]):
                ws.before_least[ws.clues[box, i]] += change
        if forwards:
            ws.put[step] = count
            ws.put_so_far[step + 1] = ws.put_so_far[step] + count
            ws.ways[step + 1] = ws.ways[step] * ws.binomials[ws.size[box], count]
            step += 1
        else:
            step -= 1
    return True


@inner
def trim_list(ws: Workspace, span: Int, listed: Int) -> tuple[Int, Int]:
    """Return the first number of mines that has weight, and how many there are from it to the last; 0 if none has."""
    start: Int = 0
    end: Int = span
    while end > 0 and ws.weights[listed + end - 1] == 0.0:
        end -= 1
    while start < end and ws.weights[listed + start] == 0.0:
        start += 1
    return start, end - start


@inner
def weigh_listed(ws: Workspace, c: Int, track: Int, odds: Double) -> None:
    """Weigh every box of a listed component; with the total unknown (``track`` 0) each mine counts its odds."""
    span, around = ws.list_span[c], ws.begin[c]
    listed = ws.list_at[c] + ws.list_start[c]
    first = ws.start[c]
    for k in range(ws.start[c + 1] - first):
        box = ws.members[first + k]
        size = float(ws.size[box])
        mined, clear, power = 0.0, 0.0, 1.0
        for i in range(ws.list_length[c]):
            weight, with_mines = ws.weights[listed + i], ws.weights[listed + (k + 1) * span + i]
            outside = ws.closing[around + i] if track == 1 else power
            mined += with_mines * outside
            clear += (size * weight - with_mines) * outside
            power *= odds
        ws.with_mines[box], ws.with_clear[box] = mined, clear


@inner
def list_small_components(ws: Workspace, none: Flag) -> Flag:
    """List the components that are small enough, into the end of the pool of weights; False if one cannot be filled.

    Where ``none`` is set, none of them.
    """
    ws.list_end = ws.weights.shape[0]
    for c in range(ws.component_count):
        ws.list_at[c] = -1
        if none or ws.by_elimination:
            continue
        first, last = ws.start[c], ws.start[c + 1]
        small_enough, fewest, span = is_small(ws, first, last)
        listed = ws.list_end - (last - first + 1) * span
        if small_enough and listed > ws.n_weights and list_component(ws, first, last, fewest, span, listed):
            ws.list_end = listed
            ws.list_at[c], ws.list_span[c], ws.list_fewest[c] = listed, span, fewest
            start, length = trim_list(ws, span, listed)
            ws.list_start[c], ws.list_length[c] = start, length
            if length == 0:
                return False
    return True
