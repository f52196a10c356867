"""Summing all components of a position: small ones by listing, the others by elimination."""

from __future__ import annotations

from math import log

from sapper.kernels.codes import CONTRADICTION, OK
from sapper.kernels.engine.board import Question
from sapper.kernels.engine.elimination import last_layer, sum_backwards, sum_forwards
from sapper.kernels.engine.enumeration import enumerate_small_components, weigh_enumerated
from sapper.kernels.engine.extended import LOG_RADIX, normalise
from sapper.kernels.engine.ordering import choose_order
from sapper.kernels.engine.totals import NO_WEIGHT, log_binomial
from sapper.kernels.engine.workspace import Pools, Workspace
from sapper.kernels.language import Double, Flag, Int, inner

# Where the weights of all components together span no more than this, as natural logarithms, and the rest of the board
# no more than that, nothing overflows or underflows: a weight of zero is then exactly zero.
SAFE_LOG_RANGE = 277.0
SAFE_LOG_REST = 200.0

LOG_2 = 0.6931471805599453


@inner
def forget(pools: Pools) -> None:
    """Empty the pools."""
    pools.n_states, pools.n_links, pools.n_weights, pools.n_layers = 0, 0, 0, 0


@inner
def weigh_counts(ws: Workspace, odds: Double) -> None:
    """Fill ``factor[k, m]`` with the weight of m mines in a box of k cells, unless that is what it holds."""
    power: Double
    exponent: Int
    if ws.totals.factor_odds == odds and ws.totals.factor_is_extended == ws.component.extended:
        return
    ws.totals.factor_odds, ws.totals.factor_is_extended = odds, ws.component.extended
    for k in range(ws.max_degree + 1):
        power, exponent = 1.0, 0
        for m in range(ws.max_degree + 1):
            ws.totals.factor[k, m], ws.totals.factor_exponent[k, m] = ws.totals.binomials[k, m] * power, exponent
            power *= odds
            if ws.component.extended:
                power, exponent = normalise(power, exponent)


@inner
def exceeds_floats(ws: Workspace, asked: Question) -> Flag:
    """Whether the weights of a position might span more than a float can.

    A cell takes part in a weight with a factor of at most two for the ways to fill its box and, with the total unknown,
    the odds of a mine; a soft clue with a likelihood.
    """
    n_cells: Int = 0
    for box in range(ws.frontier.box_count):
        if ws.frontier.component_of[box] >= 0:
            n_cells += ws.frontier.size[box]
    log_range = n_cells * (LOG_2 if ws.component.track == 1 else LOG_2 + abs(log(asked.odds)))
    if asked.is_soft:
        log_range += ws.frontier.clue_count * asked.log_doubt
    if log_range > SAFE_LOG_RANGE:
        return True
    if ws.component.track == 0:
        return False
    # C(n_free, k) is largest in the middle and least at an end of the k that are possible.
    low, high = max(0, ws.totals.n_mines_left - n_cells), min(ws.totals.n_mines_left, ws.n_free)
    if low > high:
        return False
    middle = min(max(ws.n_free // 2, low), high)
    ends = min(log_binomial(ws, ws.n_free, low), log_binomial(ws, ws.n_free, high))
    return log_binomial(ws, ws.n_free, middle) - ends > SAFE_LOG_REST


@inner
def read_enumerated(ws: Workspace, c: Int, odds: Double) -> Int:
    """Copy the polynomial of a listed component, add its scale and its least mines; return its length.

    With the total unknown it is one number: the weight of all, each mine counting its odds.
    """
    place, first, n_entries = ws.pools.list_at[c] + ws.pools.list_start[c], ws.totals.begin[c], ws.pools.list_length[c]
    fewest = ws.pools.list_fewest[c] + ws.pools.list_start[c]
    power: Double = 1.0
    if ws.component.track == 1:
        for i in range(n_entries):
            ws.totals.poly[first + i] = ws.pools.weights[place + i]
        ws.totals.base_sum += fewest
        return n_entries
    ws.totals.poly[first] = 0.0
    for i in range(n_entries):
        ws.totals.poly[first] += ws.pools.weights[place + i] * power
        power *= odds
    ws.totals.log_sum += fewest * log(odds)
    return 1


@inner
def read_summed(ws: Workspace, c: Int) -> Int:
    """Copy the polynomial of a summed component and add its least mines; return its length."""
    end = last_layer(ws, c)
    for i in range(ws.pools.length[end]):
        ws.totals.poly[ws.totals.begin[c] + i] = ws.pools.weights[ws.pools.offset[end] + i]
    ws.totals.base_sum += ws.pools.fewest[end]
    return ws.pools.length[end]


@inner
def scale_polynomial(ws: Workspace, first: Int, last: Int) -> Flag:
    """Scale a polynomial to a largest entry of 1 and add the logarithm to ``log_sum``; False if all of it is zero."""
    largest: Double = 0.0
    for i in range(first, last):
        largest = max(largest, ws.totals.poly[i])
    if largest <= 0.0:
        return False
    for i in range(first, last):
        ws.totals.poly[i] /= largest
        ws.totals.outside[i] = 1.0
    ws.totals.log_sum += log(largest)
    return True


@inner
def scale_extended(ws: Workspace, c: Int, first: Int, last: Int) -> Flag:
    """Do what `scale_polynomial` does with weights that have exponents.

    ``log_poly`` becomes the logarithms, with a largest one of 0, and ``poly`` says only what is possible: 0 or 1.
    """
    largest: Double = NO_WEIGHT
    place = ws.pools.offset[last_layer(ws, c)] - first
    for i in range(first, last):
        ws.totals.log_poly[i] = NO_WEIGHT
        if ws.pools.weights[place + i] > 0.0:
            ws.totals.log_poly[i] = log(ws.pools.weights[place + i]) + ws.pools.exponents[place + i] * LOG_RADIX
        largest = max(largest, ws.totals.log_poly[i])
    if largest <= NO_WEIGHT:
        return False
    for i in range(first, last):
        ws.totals.poly[i] = 1.0 if ws.totals.log_poly[i] > NO_WEIGHT else 0.0
        ws.totals.log_poly[i] -= largest
        ws.totals.outside[i], ws.totals.outside_exponent[i] = 1.0, 0
    ws.totals.log_sum += largest
    return True


@inner
def sum_components_forwards(ws: Workspace, asked: Question, cols: Int) -> Int:
    """Sum every component forwards, into polynomials whose largest entry is 1; return a status.

    ``log_sum`` becomes the logarithm of what they were scaled by, ``base_sum`` the least mines that they hold together.
    """
    weighs: Flag
    weigh_counts(ws, 1.0 if ws.component.track == 1 else asked.odds)
    ws.totals.log_sum, ws.totals.base_sum = 0.0, 0
    if not enumerate_small_components(ws, ws.component.extended or asked.is_soft):
        return CONTRADICTION
    ws.totals.begin[0] = 0
    for c in range(ws.frontier.component_count):
        # A component has at most as many mines as cells, so all polynomials together fit.
        if ws.pools.list_at[c] >= 0:
            length = read_enumerated(ws, c, asked.odds)
        else:
            choose_order(ws.component, ws.frontier, ws.frontier.start[c], ws.frontier.start[c + 1], cols)
            ws.pools.first_layer[c] = ws.pools.n_layers
            status = sum_forwards(ws, asked, ws.frontier.start[c], ws.frontier.start[c + 1])
            if status != OK:
                return status
            length = read_summed(ws, c)
        ws.totals.begin[c + 1] = ws.totals.begin[c] + length
        if ws.component.extended:
            weighs = scale_extended(ws, c, ws.totals.begin[c], ws.totals.begin[c + 1])
        else:
            weighs = scale_polynomial(ws, ws.totals.begin[c], ws.totals.begin[c + 1])
        # Of soft clues it shows only now that no way to fill the boxes fits them.
        if not weighs:
            return CONTRADICTION
    return OK


@inner
def sum_components_backwards(ws: Workspace, asked: Question) -> None:
    """Weigh every box of every component, now that what surrounds them is known."""
    for c in range(ws.frontier.component_count):
        if ws.pools.list_at[c] >= 0:
            weigh_enumerated(ws, c, ws.component.track, asked.odds)
        else:
            sum_backwards(ws, asked.is_soft, c)
