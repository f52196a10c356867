"""Summing all components of a position: small ones by listing, the others by elimination, all tied by the total.

Arrays: see workspace.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.elimination import sum_backwards, sum_forwards
from sapper.kernels.listing import MAX_BOXES, is_small, list_component, trim_listed, weigh_listed
from sapper.kernels.ordering import choose_order
from sapper.kernels.reuse import RECORD_LAYER, RECORD_SCALE, describe, recall, remember
from sapper.kernels.totals import log_binomial
from sapper.kernels.workspace import (
    BASE,
    BEGIN,
    CACHED,
    CLOSING,
    CONTRADICTION,
    COST,
    FACTOR,
    FIRST_LAYER,
    LABEL,
    LARGEST_LAYER,
    LAYERS,
    LENGTH,
    LINKS,
    LIST_AT,
    LIST_LENGTH,
    LIST_SPAN,
    LIST_START,
    OFFSET,
    OK,
    PLAIN,
    POLY,
    REST,
    ROOM_CACHE,
    ROOM_LINKS,
    ROOM_STATES,
    ROOM_WEIGHTS,
    SCALE,
    SIZE,
    START,
    STATES,
    STEP,
    SUMMED,
    WEIGHTS,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Sums of at most this many bits, with the rest of the board within that many more, neither overflow nor underflow:
# a weight of zero is then exactly zero.
SAFE_BITS = 400
SAFE_LOG = 200.0

BINOMIALS = np.array(
    [[1.0 if m == 0 else 0.0 for m in range(9)]]
    + [
        [float(np.prod([(k - i) / (i + 1) for i in range(m)]).round()) if m <= k else 0.0 for m in range(9)]
        for k in range(1, 9)
    ]
)


@inner_kernel
def forget(used: Longs) -> None:
    """Empty the pools and the cache."""
    for place in (STATES, LINKS, WEIGHTS, LAYERS, CACHED):
        used[place] = 0
    used[LARGEST_LAYER] = 1


@inner_kernel
def is_half_full(used: Longs, width: int) -> bool:
    """Whether what is remembered leaves less than half of any pool."""
    return bool(
        2 * used[STATES] > used[ROOM_STATES]
        or 2 * used[LINKS] > used[ROOM_LINKS]
        or 2 * used[WEIGHTS] > used[ROOM_WEIGHTS]
        or used[LAYERS] > width
        or 2 * used[CACHED] > used[ROOM_CACHE]
    )


@inner_kernel
def weigh_counts(odds: float, boolean: bool, factor: Floats) -> None:
    """Fill factor[k, m] with the weight of m mines in a box of k cells."""
    for k in range(9):
        power = 1.0
        for m in range(9):
            ways = BINOMIALS[k, m] * power
            factor[k, m] = (1.0 if ways > 0.0 else 0.0) if boolean else ways
            power *= odds


@inner_kernel
def may_underflow(n_left: int, n_free: int, box_count: int, rows: Ints) -> bool:
    """Whether the weights of a position may span more than a float can. ``n_left`` is -1 with the total unknown."""
    n_bits = 0
    for box in range(box_count):
        if rows[LABEL, box] >= 0:
            n_bits += rows[SIZE, box]
    if n_bits > SAFE_BITS:
        return True
    if n_left < 0:
        return False
    # C(n_free, k) is largest in the middle and least at an end of the k that are possible.
    low, high = max(0, n_left - n_bits), min(n_left, n_free)
    if low > high:
        return False
    middle = min(max(n_free // 2, low), high)
    ends = min(log_binomial(n_free, low), log_binomial(n_free, high))
    return log_binomial(n_free, middle) - ends > SAFE_LOG


@inner_kernel
def list_small_components(
    n_components: int,
    none: bool,
    rows: Ints,
    clues: Ints,
    layer: Ints,
    short: Longs,
    used: Longs,
    weights: Floats,
    small: Floats,
) -> int:
    """List the components that are small enough, into the end of the pool of weights; return where that begins.

    Where ``none`` is set, none of them. Returns -1 if one of them cannot be filled at all.
    """
    w = rows.shape[1]
    list_at, list_start, list_length, list_span = (
        short[LIST_AT],
        short[LIST_START],
        short[LIST_LENGTH],
        short[LIST_SPAN],
    )
    walk = layer[2 * w : 2 * w + 4 * MAX_BOXES]
    bounds = layer[2 * w + 4 * MAX_BOXES : 2 * w + 20 * MAX_BOXES].reshape((MAX_BOXES, 16))
    ways = small[FACTOR * w + 96 : FACTOR * w + 160]
    list_end = weights.size
    for c in range(n_components):
        list_at[c] = -1
        if none or used[PLAIN] == 1:
            continue
        first, last = rows[START, c], rows[START, c + 1]
        small_enough, fewest, span = is_small(first, last, rows)
        place = list_end - (last - first + 1) * span
        if small_enough and place > used[WEIGHTS]:
            listed = weights[place:list_end]
            if list_component(first, last, fewest, span, BINOMIALS, rows, clues, walk, bounds, ways, listed):
                list_end = place
                list_at[c] = place
                list_span[c] = span
                start, length = trim_listed(span, listed)
                list_start[c] = start
                list_length[c] = length
                short[FIRST_LAYER, c] = fewest
                if length == 0:
                    return -1
    return list_end


@inner_kernel
def read_listed(c: int, track: int, odds: float, short: Longs, weights: Floats, poly: Floats) -> tuple[int, int, float]:
    """Copy the polynomial of a listed component; return its length, its least mines and the logarithm of its scale.

    With the total unknown it is one number: the weight of all, each mine counting its odds.
    """
    place, first, n_entries = short[LIST_AT, c] + short[LIST_START, c], short[BEGIN, c], short[LIST_LENGTH, c]
    fewest = short[FIRST_LAYER, c] + short[LIST_START, c]
    if track == 1:
        for i in range(n_entries):
            poly[first + i] = weights[place + i]
        return n_entries, fewest, 0.0
    power = 1.0
    poly[first] = 0.0
    for i in range(n_entries):
        poly[first] += weights[place + i] * power
        power *= odds
    return 1, 0, fewest * np.log(odds)


@inner_kernel
def sum_components_forwards(
    n_components: int,
    cols: int,
    track: int,
    odds: float,
    is_soft: bool,
    tables: Floats,
    boolean: bool,
    rows: Ints,
    clues: Ints,
    boxes: Ints,
    layer: Ints,
    short: Longs,
    used: Longs,
    info: Floats,
    states: Ints,
    links: Ints,
    soft: Floats,
    weights: Floats,
    small: Floats,
    keys: Longs,
    hashed: Longs,
    slots: Ints,
    cache: Ints,
) -> tuple[int, float, int, int]:
    """Sum every component forwards, into polynomials whose largest entry is 1.

    Returns a status, the logarithm of what they were scaled by, the least mines that they hold together, and where the
    listed components begin in the pool of weights. ``boolean`` asks only what is possible.
    """
    w = rows.shape[1]
    factor = small[FACTOR * w : FACTOR * w + 81].reshape((9, 9))
    weigh_counts(1.0 if track == 1 else odds, boolean, factor)
    first_layers, begin, step, list_at = short[FIRST_LAYER], short[BEGIN], short[STEP], short[LIST_AT]
    if used[ROOM_CACHE] == 0:
        forget(used)
    log_weight = 0.0
    base_sum = 0
    list_end = list_small_components(n_components, boolean or is_soft, rows, clues, layer, short, used, weights, small)
    if list_end < 0:
        return CONTRADICTION, log_weight, base_sum, list_end
    info[COST] = 0.0
    begin[0] = 0
    # A component has at most as many mines as cells, so all polynomials together fit into 2w.
    poly, closing = small[POLY * w : CLOSING * w], small[CLOSING * w : REST * w]
    pool = weights[:list_end]
    for c in range(n_components):
        first, last = rows[START, c], rows[START, c + 1]
        if list_at[c] >= 0:
            length, base, log_scale = read_listed(c, track, odds, short, weights, poly)
        else:
            record, length = -1, 0
            if used[ROOM_CACHE] > 0 and not is_soft:
                length = describe(first, last, boolean, rows, clues, used, cache)
                if length > 0:
                    record = recall(first, last, length, rows, used, cache)
            if record >= 0:
                first_layers[c] = cache[record + RECORD_LAYER]
                info[SCALE] = cache[record + RECORD_SCALE]
            else:
                info[COST] += choose_order(first, last, cols, rows, clues, boxes)
                first_layers[c] = used[LAYERS]
                status = sum_forwards(
                    first, last, track, factor, is_soft, tables, boolean, rows, clues, layer, step, used, states, links,
                    soft, pool, keys, hashed, slots, info,
                )  # fmt: skip
                if status != OK:
                    return status, log_weight, base_sum, list_end
                used[SUMMED] += 1
                if length > 0:
                    remember(first, last, length, first_layers[c], info[SCALE], rows, used, cache)
            log_scale = info[SCALE] * np.log(2.0)
            end = layer[first_layers[c] + last - first]
            base = np.int64(states[end, BASE])
            length = np.int64(states[end, LENGTH])
            for i in range(length):
                poly[begin[c] + i] = weights[states[end, OFFSET] + i]
        base_sum += base
        log_weight += log_scale
        begin[c + 1] = begin[c] + length
        largest = 0.0
        for i in range(begin[c], begin[c + 1]):
            largest = max(largest, poly[i])
        for i in range(begin[c], begin[c + 1]):
            poly[i] /= largest
            closing[i] = 1.0
        log_weight += np.log(largest)
    return OK, log_weight, base_sum, list_end


@inner_kernel
def sum_components_backwards(
    n_components: int,
    list_end: int,
    track: int,
    odds: float,
    is_soft: bool,
    boolean: bool,
    rows: Ints,
    layer: Ints,
    short: Longs,
    used: Longs,
    states: Ints,
    links: Ints,
    soft: Floats,
    weights: Floats,
    small: Floats,
    sums: Floats,
) -> None:
    """Weigh every box of every component, now that what surrounds them is known."""
    w = rows.shape[1]
    factor = small[FACTOR * w : FACTOR * w + 81].reshape((9, 9))
    closing = small[CLOSING * w : REST * w]
    behind = weights[used[WEIGHTS] : list_end]
    if behind.size < 2 * used[LARGEST_LAYER]:
        behind = np.empty(2 * used[LARGEST_LAYER])
    for c in range(n_components):
        first, last = rows[START, c], rows[START, c + 1]
        around = closing[short[BEGIN, c] :]
        if short[LIST_AT, c] >= 0:
            listed = weights[short[LIST_AT, c] :]
            weigh_listed(
                first, last, short[LIST_START, c], short[LIST_LENGTH, c], short[LIST_SPAN, c], track, odds, listed,
                around, rows, sums,
            )  # fmt: skip
        else:
            sum_backwards(
                first, last, short[FIRST_LAYER, c], track, factor, is_soft, boolean, around, rows, layer, states, links,
                soft, weights, behind, sums,
            )  # fmt: skip
