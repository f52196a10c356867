"""Summing all components of a position: small ones by listing, the others by elimination."""

from __future__ import annotations

from math import log

from sapper.kernels.codes import CONTRADICTION, OK
from sapper.kernels.engine.board import Question
from sapper.kernels.engine.elimination import sum_backwards, sum_forwards
from sapper.kernels.engine.listing import list_small_components, weigh_listed
from sapper.kernels.engine.ordering import choose_order
from sapper.kernels.engine.reuse import RECORD_LAYER, RECORD_SCALE, describe, recall, remember
from sapper.kernels.engine.totals import log_binomial
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Flag, Int, inner

# Sums of at most this many bits, with the rest of the board within that many more, neither overflow nor underflow:
# a weight of zero is then exactly zero.
SAFE_BITS = 400
SAFE_LOG = 200.0

LOG_2 = 0.6931471805599453


@inner
def forget(ws: Workspace) -> None:
    """Empty the pools and the cache."""
    ws.n_states, ws.n_links, ws.n_weights, ws.n_layers, ws.n_cached = 0, 0, 0, 0, 0


@inner
def is_half_full(ws: Workspace) -> Flag:
    """Whether what is remembered leaves less than half of any pool."""
    return (
        2 * ws.n_states > ws.offset.shape[0]
        or 2 * ws.n_links > ws.links.shape[0]
        or 2 * ws.n_weights > ws.weights.shape[0]
        or ws.n_layers > ws.width
        or 2 * ws.n_cached > ws.cache.shape[0]
    )


@inner
def weigh_counts(ws: Workspace, odds: Double) -> None:
    """Fill ``factor[k, m]`` with the weight of m mines in a box of k cells, unless that is what it holds."""
    power: Double
    if ws.factor_odds == odds and ws.factor_is_boolean == ws.boolean:
        return
    ws.factor_odds, ws.factor_is_boolean = odds, ws.boolean
    for k in range(ws.max_degree + 1):
        power = 1.0
        for m in range(ws.max_degree + 1):
            ways = ws.binomials[k, m] * power
            ws.factor[k, m] = (1.0 if ways > 0.0 else 0.0) if ws.boolean else ways
            power *= odds


@inner
def may_underflow(ws: Workspace, n_left: Int) -> Flag:
    """Whether the weights of a position may span more than a float can. ``n_left`` is -1 with the total unknown."""
    n_bits: Int = 0
    for box in range(ws.box_count):
        if ws.label[box] >= 0:
            n_bits += ws.size[box]
    if n_bits > SAFE_BITS:
        return True
    if n_left < 0:
        return False
    # C(n_free, k) is largest in the middle and least at an end of the k that are possible.
    low, high = max(0, n_left - n_bits), min(n_left, ws.n_free)
    if low > high:
        return False
    middle = min(max(ws.n_free // 2, low), high)
    ends = min(log_binomial(ws, ws.n_free, low), log_binomial(ws, ws.n_free, high))
    return log_binomial(ws, ws.n_free, middle) - ends > SAFE_LOG


@inner
def read_listed(ws: Workspace, c: Int, odds: Double) -> Int:
    """Copy the polynomial of a listed component, add its scale and its least mines; return its length.

    With the total unknown it is one number: the weight of all, each mine counting its odds.
    """
    place, first, n_entries = ws.list_at[c] + ws.list_start[c], ws.begin[c], ws.list_length[c]
    fewest = ws.list_fewest[c] + ws.list_start[c]
    power: Double = 1.0
    if ws.track == 1:
        for i in range(n_entries):
            ws.poly[first + i] = ws.weights[place + i]
        ws.base_sum += fewest
        return n_entries
    ws.poly[first] = 0.0
    for i in range(n_entries):
        ws.poly[first] += ws.weights[place + i] * power
        power *= odds
    ws.log_sum += fewest * log(odds)
    return 1


@inner
def sum_component(ws: Workspace, asked: Question, c: Int, cols: Int) -> Int:
    """Sum a component forwards, or find it among those that were summed before; return a status."""
    first, last = ws.start[c], ws.start[c + 1]
    length: Int = 0
    if ws.remembers and not asked.is_soft:
        length = describe(ws, first, last)
        if length > 0:
            record = recall(ws, first, last, length)
            if record >= 0:
                ws.first_layer[c] = ws.cache[record + RECORD_LAYER]
                ws.scale = ws.cache[record + RECORD_SCALE]
                return OK
    choose_order(ws, first, last, cols)
    ws.first_layer[c] = ws.n_layers
    status = sum_forwards(ws, asked, first, last)
    if status != OK:
        return status
    ws.n_summed += 1
    if length > 0:
        remember(ws, first, last, length, ws.first_layer[c])
    return OK


@inner
def read_summed(ws: Workspace, c: Int) -> Int:
    """Copy the polynomial of a summed component, add its scale and its least mines; return its length."""
    end = ws.layer[ws.first_layer[c] + ws.start[c + 1] - ws.start[c]]
    for i in range(ws.length[end]):
        ws.poly[ws.begin[c] + i] = ws.weights[ws.offset[end] + i]
    ws.base_sum += ws.fewest[end]
    ws.log_sum += ws.scale * LOG_2
    return ws.length[end]


@inner
def sum_components_forwards(ws: Workspace, asked: Question, cols: Int) -> Int:
    """Sum every component forwards, into polynomials whose largest entry is 1; return a status.

    ``log_sum`` becomes the logarithm of what they were scaled by, ``base_sum`` the least mines that they hold together.
    """
    largest: Double
    weigh_counts(ws, 1.0 if ws.track == 1 else asked.odds)
    if not ws.remembers:
        forget(ws)
    ws.log_sum, ws.base_sum = 0.0, 0
    if not list_small_components(ws, ws.boolean or asked.is_soft):
        return CONTRADICTION
    ws.begin[0] = 0
    for c in range(ws.component_count):
        # A component has at most as many mines as cells, so all polynomials together fit.
        if ws.list_at[c] >= 0:
            length = read_listed(ws, c, asked.odds)
        else:
            status = sum_component(ws, asked, c, cols)
            if status != OK:
                return status
            length = read_summed(ws, c)
        ws.begin[c + 1] = ws.begin[c] + length
        largest = 0.0
        for i in range(ws.begin[c], ws.begin[c + 1]):
            largest = max(largest, ws.poly[i])
        # Of soft clues it shows only now that no way to fill the boxes fits them.
        if largest <= 0.0:
            return CONTRADICTION
        for i in range(ws.begin[c], ws.begin[c + 1]):
            ws.poly[i] /= largest
            ws.closing[i] = 1.0
        ws.log_sum += log(largest)
    return OK


@inner
def sum_components_backwards(ws: Workspace, asked: Question) -> None:
    """Weigh every box of every component, now that what surrounds them is known."""
    for c in range(ws.component_count):
        if ws.list_at[c] >= 0:
            weigh_listed(ws, c, ws.track, asked.odds)
        else:
            sum_backwards(ws, asked.is_soft, c)
