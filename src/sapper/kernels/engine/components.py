"""Sum every component of a position: enumerate small ones, eliminate the boxes of the others.

`sum_inside` turns each component into a polynomial, its inside weight by number of mines. Once `totals` has found the
outside weights, `weigh_boxes` weighs every box.
"""

from __future__ import annotations

from math import log

from sapper.kernels.codes import CONTRADICTION, OK
from sapper.kernels.engine.board import Query
from sapper.kernels.engine.elimination import backward_pass, final_state, forward_pass
from sapper.kernels.engine.enumeration import enumerate_small_components, weigh_enumerated
from sapper.kernels.engine.ordering import choose_order
from sapper.kernels.engine.totals import LOG_RADIX, NO_WEIGHT, log_binomial, normalise
from sapper.kernels.engine.workspace import Component, Frontier, MineTotals, Pools, Workspace
from sapper.kernels.language import *

# If the natural logarithms of all components' weights together span at most SAFE_LOG_RANGE, and those of the free
# cells' weights SAFE_LOG_REST, nothing overflows or underflows: a weight of zero is exactly zero.
SAFE_LOG_RANGE = 277.0
SAFE_LOG_REST = 200.0

LOG_2 = 0.6931471805599453


def reset_pools(pools: Pools) -> None:
    """Empty the pools."""
    pools.n_states, pools.n_links, pools.n_weights, pools.n_layers = 0, 0, 0, 0


def fill_factors(component: Component, odds: Double) -> None:
    """Fill ``factor[k, m]``, the weight of m mines in a box of k cells, unless it is up to date."""
    power: Double
    exponent: Int
    if component.factor_odds == odds and component.factor_is_extended == component.extended:
        return
    component.factor_odds, component.factor_is_extended = odds, component.extended
    for k in range(component.factor.shape[0]):
        power, exponent = 1.0, 0
        for m in range(component.factor.shape[1]):
            component.factor[k, m], component.factor_exponent[k, m] = component.binomials[k, m] * power, exponent
            power *= odds
            if component.extended:
                power, exponent = normalise(power, exponent)


def exceeds_floats(frontier: Frontier, component: Component, totals: MineTotals, query: Query) -> Flag:
    """Whether the weights of a position might exceed the range of a float.

    Each cell contributes a factor of at most two for the ways to fill its box and, if the total is unknown, the odds of
    a mine; each noisy clue contributes a likelihood.
    """
    n_cells: Int = 0
    n_free, n_left = frontier.n_free, totals.n_mines_left
    for box in range(frontier.box_count):
        if frontier.component_of[box] >= 0:
            n_cells += frontier.size[box]
    log_range = n_cells * (LOG_2 if component.track == 1 else LOG_2 + abs(log(query.odds)))
    if query.is_noisy:
        log_range += frontier.clue_count * query.max_surprisal
    if log_range > SAFE_LOG_RANGE:
        return True
    if component.track == 0:
        return False
    # C(n_free, k) is largest in the middle and smallest at an end of the possible k.
    low, high = max(0, n_left - n_cells), min(n_left, n_free)
    if low > high:
        return False
    middle = min(max(n_free // 2, low), high)
    smallest = min(log_binomial(totals, n_free, low), log_binomial(totals, n_free, high))
    return log_binomial(totals, n_free, middle) - smallest > SAFE_LOG_REST


def read_enumerated(pools: Pools, totals: MineTotals, c: Int, track: Int, odds: Double) -> Int:
    """Copy the polynomial of an enumerated component and add its minimum number of mines; return its length.

    If the total is unknown (``track`` 0), it is a single weight: every mine weighs ``odds``.
    """
    place, first = pools.enumerated_at[c] + pools.enumerated_first[c], totals.begin[c]
    n_entries, fewest = pools.enumerated_length[c], pools.enumerated_base[c] + pools.enumerated_first[c]
    power: Double = 1.0
    if track == 1:
        for i in range(n_entries):
            totals.poly[first + i] = pools.weights[place + i]
        totals.base_sum += fewest
        return n_entries
    totals.poly[first] = 0.0
    for i in range(n_entries):
        totals.poly[first] += pools.weights[place + i] * power
        power *= odds
    totals.log_sum += fewest * log(odds)
    return 1


def read_eliminated(frontier: Frontier, pools: Pools, totals: MineTotals, c: Int) -> Int:
    """Copy the polynomial of an eliminated component and add its minimum number of mines; return its length."""
    end = final_state(frontier, pools, c)
    for i in range(pools.length[end]):
        totals.poly[totals.begin[c] + i] = pools.weights[pools.offset[end] + i]
    totals.base_sum += pools.fewest[end]
    return pools.length[end]


def scale_polynomial(totals: MineTotals, c: Int) -> Flag:
    """Scale a polynomial to a maximum of 1 and add the logarithm to ``log_sum``; return False if all of it is zero."""
    largest: Double = 0.0
    first, last = totals.begin[c], totals.begin[c + 1]
    for i in range(first, last):
        largest = max(largest, totals.poly[i])
    if largest <= 0.0:
        return False
    for i in range(first, last):
        totals.poly[i] /= largest
        totals.outside[i] = 1.0
    totals.log_sum += log(largest)
    return True


def scale_extended(frontier: Frontier, pools: Pools, totals: MineTotals, c: Int) -> Flag:
    """Scale as `scale_polynomial` does, for weights with exponents.

    ``log_poly`` becomes the logarithms, with a maximum of 0, and ``poly`` says what is possible: 0 or 1.
    """
    largest: Double = NO_WEIGHT
    first, last = totals.begin[c], totals.begin[c + 1]
    place = pools.offset[final_state(frontier, pools, c)] - first
    for i in range(first, last):
        totals.log_poly[i] = NO_WEIGHT
        if pools.weights[place + i] > 0.0:
            totals.log_poly[i] = log(pools.weights[place + i]) + pools.exponents[place + i] * LOG_RADIX
        largest = max(largest, totals.log_poly[i])
    if largest <= NO_WEIGHT:
        return False
    for i in range(first, last):
        totals.poly[i] = 1.0 if totals.log_poly[i] > NO_WEIGHT else 0.0
        totals.log_poly[i] -= largest
        totals.outside[i], totals.outside_exponent[i] = 1.0, 0
    totals.log_sum += largest
    return True


def sum_inside(ws: Workspace, query: Query, cols: Int) -> Int:
    """Sum every component into a polynomial with a maximum of 1; return a status.

    ``log_sum`` becomes the logarithm of their scale, ``base_sum`` their minimum number of mines together.
    """
    has_weight: Flag
    skip: Flag = ws.by_elimination or ws.component.extended or query.is_noisy
    fill_factors(ws.component, 1.0 if ws.component.track == 1 else query.odds)
    ws.totals.log_sum, ws.totals.base_sum = 0.0, 0
    if not enumerate_small_components(ws.frontier, ws.component, ws.pools, skip):
        return CONTRADICTION
    ws.totals.begin[0] = 0
    for c in range(ws.frontier.component_count):
        # A component has at most as many mines as cells, so all polynomials together fit.
        if ws.pools.enumerated_at[c] >= 0:
            length = read_enumerated(ws.pools, ws.totals, c, ws.component.track, query.odds)
        else:
            choose_order(ws.frontier, ws.component, ws.frontier.start[c], ws.frontier.start[c + 1], cols)
            ws.pools.first_layer[c] = ws.pools.n_layers
            status = forward_pass(ws, query, ws.frontier.start[c], ws.frontier.start[c + 1])
            if status != OK:
                return status
            length = read_eliminated(ws.frontier, ws.pools, ws.totals, c)
        ws.totals.begin[c + 1] = ws.totals.begin[c] + length
        if ws.component.extended:
            has_weight = scale_extended(ws.frontier, ws.pools, ws.totals, c)
        else:
            has_weight = scale_polynomial(ws.totals, c)
        # Only now does it show that nothing fits the noisy clues.
        if not has_weight:
            return CONTRADICTION
    return OK


def weigh_boxes(ws: Workspace, query: Query) -> None:
    """Weigh every box of every component, given the outside weights."""
    for c in range(ws.frontier.component_count):
        if ws.pools.enumerated_at[c] >= 0:
            weigh_enumerated(ws.frontier, ws.pools, ws.totals, c, ws.component.track, query.odds)
        else:
            backward_pass(ws.frontier, ws.component, ws.pools, ws.totals, query.is_noisy, c)
