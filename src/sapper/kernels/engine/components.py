"""Summing all components of a position: small ones by listing, the others by elimination."""

from __future__ import annotations

from math import log

from sapper.kernels.codes import CONTRADICTION, OK
from sapper.kernels.engine.board import Question
from sapper.kernels.engine.elimination import sum_backwards, sum_forwards
from sapper.kernels.engine.enumeration import list_small_components, weigh_listed
from sapper.kernels.engine.extended import LOG_RADIX, normalise
from sapper.kernels.engine.ordering import choose_order
from sapper.kernels.engine.totals import NO_WEIGHT, log_binomial
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Flag, Int, inner

# Where the weights of all components together span no more than this, as natural logarithms, and the rest of the board
# no more than that, nothing overflows or underflows: a weight of zero is then exactly zero.
SAFE_LOG_RANGE = 277.0
SAFE_LOG_REST = 200.0

LOG_2 = 0.6931471805599453


@inner
def forget(ws: Workspace) -> None:
    """Empty the pools."""
    ws.n_states, ws.n_links, ws.n_weights, ws.n_layers = 0, 0, 0, 0


@inner
def weigh_counts(ws: Workspace, odds: Double) -> None:
    """Fill ``factor[k, m]`` with the weight of m mines in a box of k cells, unless that is what it holds."""
    power: Double
    exponent: Int
    if ws.factor_odds == odds and ws.factor_is_extended == ws.extended:
        return
    ws.factor_odds, ws.factor_is_extended = odds, ws.extended
    for k in range(ws.max_degree + 1):
        power, exponent = 1.0, 0
        for m in range(ws.max_degree + 1):
            ws.factor[k, m], ws.factor_exponent[k, m] = ws.binomials[k, m] * power, exponent
            power *= odds
            if ws.extended:
                power, exponent = normalise(power, exponent)


@inner
def exceeds_floats(ws: Workspace, asked: Question) -> Flag:
    """Whether the weights of a position might span more than a float can.

    A cell takes part in a weight with a factor of at most two for the ways to fill its box and, with the total unknown,
    the odds of a mine; a soft clue with a likelihood.
    """
    n_cells: Int = 0
    for box in range(ws.box_count):
        if ws.label[box] >= 0:
            n_cells += ws.size[box]
    log_range = n_cells * (LOG_2 if ws.track == 1 else LOG_2 + abs(log(asked.odds)))
    if asked.is_soft:
        log_range += ws.clue_count * asked.log_doubt
    if log_range > SAFE_LOG_RANGE:
        return True
    if ws.track == 0:
        return False
    # C(n_free, k) is largest in the middle and least at an end of the k that are possible.
    low, high = max(0, ws.n_mines_left - n_cells), min(ws.n_mines_left, ws.n_free)
    if low > high:
        return False
    middle = min(max(ws.n_free // 2, low), high)
    ends = min(log_binomial(ws, ws.n_free, low), log_binomial(ws, ws.n_free, high))
    return log_binomial(ws, ws.n_free, middle) - ends > SAFE_LOG_REST


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
def read_summed(ws: Workspace, c: Int) -> Int:
    """Copy the polynomial of a summed component and add its least mines; return its length."""
    end = ws.layer[ws.first_layer[c] + ws.start[c + 1] - ws.start[c]]
    for i in range(ws.length[end]):
        ws.poly[ws.begin[c] + i] = ws.weights[ws.offset[end] + i]
    ws.base_sum += ws.fewest[end]
    return ws.length[end]


@inner
def scale_polynomial(ws: Workspace, first: Int, last: Int) -> Flag:
    """Scale a polynomial to a largest entry of 1 and add the logarithm to ``log_sum``; False if all of it is zero."""
    largest: Double = 0.0
    for i in range(first, last):
        largest = max(largest, ws.poly[i])
    if largest <= 0.0:
        return False
    for i in range(first, last):
        ws.poly[i] /= largest
        ws.closing[i] = 1.0
    ws.log_sum += log(largest)
    return True


@inner
def scale_extended(ws: Workspace, c: Int, first: Int, last: Int) -> Flag:
    """Do what `scale_polynomial` does with weights that have exponents.

    ``log_poly`` becomes the logarithms, with a largest one of 0, and ``poly`` says only what is possible: 0 or 1.
    """
    largest: Double = NO_WEIGHT
    place = ws.offset[ws.layer[ws.first_layer[c] + ws.start[c + 1] - ws.start[c]]] - first
    for i in range(first, last):
        ws.log_poly[i] = NO_WEIGHT
        if ws.weights[place + i] > 0.0:
            ws.log_poly[i] = log(ws.weights[place + i]) + ws.exponents[place + i] * LOG_RADIX
        largest = max(largest, ws.log_poly[i])
    if largest <= NO_WEIGHT:
        return False
    for i in range(first, last):
        ws.poly[i] = 1.0 if ws.log_poly[i] > NO_WEIGHT else 0.0
        ws.log_poly[i] -= largest
        ws.closing[i], ws.closing_exponent[i] = 1.0, 0
    ws.log_sum += largest
    return True


@inner
def sum_components_forwards(ws: Workspace, asked: Question, cols: Int) -> Int:
    """Sum every component forwards, into polynomials whose largest entry is 1; return a status.

    ``log_sum`` becomes the logarithm of what they were scaled by, ``base_sum`` the least mines that they hold together.
    """
    weighs: Flag
    weigh_counts(ws, 1.0 if ws.track == 1 else asked.odds)
    ws.log_sum, ws.base_sum = 0.0, 0
    if not list_small_components(ws, ws.extended or asked.is_soft):
        return CONTRADICTION
    ws.begin[0] = 0
    for c in range(ws.component_count):
        # A component has at most as many mines as cells, so all polynomials together fit.
        if ws.list_at[c] >= 0:
            length = read_listed(ws, c, asked.odds)
        else:
            choose_order(ws, ws.start[c], ws.start[c + 1], cols)
            ws.first_layer[c] = ws.n_layers
            status = sum_forwards(ws, asked, ws.start[c], ws.start[c + 1])
            if status != OK:
                return status
            length = read_summed(ws, c)
        ws.begin[c + 1] = ws.begin[c] + length
        if ws.extended:
            weighs = scale_extended(ws, c, ws.begin[c], ws.begin[c + 1])
        else:
            weighs = scale_polynomial(ws, ws.begin[c], ws.begin[c + 1])
        # Of soft clues it shows only now that no way to fill the boxes fits them.
        if not weighs:
            return CONTRADICTION
    return OK


@inner
def sum_components_backwards(ws: Workspace, asked: Question) -> None:
    """Weigh every box of every component, now that what surrounds them is known."""
    for c in range(ws.component_count):
        if ws.list_at[c] >= 0:
            weigh_listed(ws, c, ws.track, asked.odds)
        else:
            sum_backwards(ws, asked.is_soft, c)
