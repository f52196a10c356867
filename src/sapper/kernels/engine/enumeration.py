"""Small components: enumerate every way to fill their boxes.

Most components of real positions have a handful of boxes and fewer than ten ways to fill them. Enumerating these is
several times as fast as elimination. Beyond MAX_WAYS or MAX_STEPS the search gives up and the component is eliminated
instead. All weights are integers below 2^53, so every sum is exact.

An enumeration takes (boxes + 1) rows of ``span`` entries in the pool of weights: the weight by number of mines in the
component, then for each box the same times its mines. ``base`` is where the first row begins.
"""

from __future__ import annotations

from sapper.kernels.engine.workspace import MAX_ENUMERATED, Component, Frontier, MineTotals, Pools
from sapper.kernels.language import *

MAX_ENUMERATED_CELLS = 48  # at most 2^48 ways: exact in a float
MAX_SPAN = 24
MAX_WAYS = 24
MAX_STEPS = 160


def is_small(frontier: Frontier, first: Int, last: Int) -> tuple[Flag, Int, Int]:
    """Return whether to enumerate a component, its minimum number of mines and how many numbers are possible."""
    n_cells: Int = 0
    fewest: Int = 0
    greatest: Int = 0
    for at in range(first, last):
        box = frontier.members[at]
        n_cells += frontier.size[box]
        fewest += frontier.min_mines[box]
        greatest += frontier.max_mines[box]
    span = greatest - fewest + 1
    return last - first <= MAX_ENUMERATED and n_cells <= MAX_ENUMERATED_CELLS and span <= MAX_SPAN, fewest, span


def bound_steps(frontier: Frontier, component: Component, first: Int, last: Int) -> None:
    """Compute, for every step, the minimum and maximum sum of each clue of its box."""
    for at in range(first, last):
        box = frontier.members[at]
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            component.before_min[clue] = 0
            component.after_min[clue] = frontier.rest_min[clue]
            component.after_max[clue] = frontier.rest_max[clue]
    for step in range(last - first):
        box = frontier.members[first + step]
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            component.after_min[clue] -= frontier.min_mines[box]
            component.after_max[clue] -= frontier.max_mines[box]
            component.floor[step, i] = frontier.need[clue] - component.after_max[clue]
            component.ceiling[step, i] = frontier.allow[clue] - component.after_min[clue]


def record_way(component: Component, pools: Pools, n_boxes: Int, span: Int, base: Int) -> None:
    """Add one way to fill all boxes to the enumeration."""
    mines = component.mines_so_far[n_boxes]
    weight = component.ways[n_boxes]
    pools.weights[base + mines] += weight
    for k in range(n_boxes):
        pools.weights[base + (k + 1) * span + mines] += component.filled[k] * weight


def fill_from(
    frontier: Frontier, component: Component, pools: Pools, first: Int, step: Int, n_boxes: Int, span: Int, base: Int
) -> Flag:
    """Fill the boxes from ``step`` on in every way, depth first; return False once there are too many ways.

    ``before_min`` is, by clue, the number of mines in its boxes that are filled.
    """
    low: Int
    high: Int
    is_within_limits: Flag
    component.n_steps += 1
    if component.n_steps > MAX_STEPS:
        return False
    box = frontier.members[first + step]
    low, high = frontier.min_mines[box], frontier.max_mines[box]
    for i in range(frontier.n_clues[box]):
        so_far = component.before_min[frontier.clues[box, i]]
        low = max(low, component.floor[step, i] - so_far)
        high = min(high, component.ceiling[step, i] - so_far)
    for count in range(low, high + 1):
        component.filled[step] = count
        component.mines_so_far[step + 1] = component.mines_so_far[step] + count
        component.ways[step + 1] = component.ways[step] * component.binomials[frontier.size[box], count]
        if step + 1 == n_boxes:
            component.n_ways += 1
            if component.n_ways > MAX_WAYS:
                return False
            record_way(component, pools, n_boxes, span, base)
            continue
        for i in range(frontier.n_clues[box]):
            component.before_min[frontier.clues[box, i]] += count
        is_within_limits = fill_from(frontier, component, pools, first, step + 1, n_boxes, span, base)
        for i in range(frontier.n_clues[box]):
            component.before_min[frontier.clues[box, i]] -= count
        if not is_within_limits:
            return False
    return True


def enumerate_component(
    frontier: Frontier, component: Component, pools: Pools, first: Int, last: Int, fewest: Int, span: Int, base: Int
) -> Flag:
    """Enumerate a component; return False if there are too many ways.

    If there is no way at all, every weight is zero.
    """
    bound_steps(frontier, component, first, last)
    for i in range((last - first + 1) * span):
        pools.weights[base + i] = 0.0
    component.mines_so_far[0], component.ways[0] = -fewest, 1.0
    component.n_ways, component.n_steps = 0, 0
    return fill_from(frontier, component, pools, first, 0, last - first, span, base)


def trim_enumeration(pools: Pools, span: Int, base: Int) -> tuple[Int, Int]:
    """Return the first entry with weight and the number of entries from there to the last one; 0 if there is none."""
    first: Int = 0
    end: Int = span
    while end > 0 and pools.weights[base + end - 1] == 0.0:
        end -= 1
    while first < end and pools.weights[base + first] == 0.0:
        first += 1
    return first, end - first


def weigh_enumerated(frontier: Frontier, pools: Pools, totals: MineTotals, c: Int, track: Int, odds: Double) -> None:
    """Weigh every box of an enumerated component; if the total is unknown (``track`` 0), every mine weighs ``odds``."""
    span, around = pools.enumerated_span[c], totals.begin[c]
    base = pools.enumerated_at[c] + pools.enumerated_first[c]
    first = frontier.start[c]
    for k in range(frontier.start[c + 1] - first):
        box = frontier.members[first + k]
        size = float(frontier.size[box])
        mined, safe, power = 0.0, 0.0, 1.0
        for i in range(pools.enumerated_length[c]):
            weight, with_mines = pools.weights[base + i], pools.weights[base + (k + 1) * span + i]
            outside = totals.outside[around + i] if track == 1 else power
            mined += with_mines * outside
            safe += (size * weight - with_mines) * outside
            power *= odds
        frontier.with_mines[box], frontier.with_safe[box] = mined, safe


def enumerate_small_components(frontier: Frontier, component: Component, pools: Pools, skip: Flag) -> Flag:
    """Enumerate the small components at the end of the pool of weights, or none; False if one cannot be filled."""
    pools.weights_limit = pools.weights.shape[0]
    for c in range(frontier.component_count):
        pools.enumerated_at[c] = -1
        if skip:
            continue
        first, last = frontier.start[c], frontier.start[c + 1]
        small_enough, fewest, span = is_small(frontier, first, last)
        base = pools.weights_limit - (last - first + 1) * span
        if not small_enough or base <= pools.n_weights:
            continue
        if enumerate_component(frontier, component, pools, first, last, fewest, span, base):
            pools.weights_limit = base
            pools.enumerated_at[c], pools.enumerated_span[c], pools.enumerated_base[c] = base, span, fewest
            pools.enumerated_first[c], pools.enumerated_length[c] = trim_enumeration(pools, span, base)
            if pools.enumerated_length[c] == 0:
                return False
    return True
