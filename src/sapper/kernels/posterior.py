"""The exact posterior of a position: settle, group, order, sum forwards, close with the total, sum backwards.

| array    | dtype   | shape      | meaning                                                                        |
|----------|---------|------------|--------------------------------------------------------------------------------|
| cells    | int8    | (n,)       | what the player sees                                                           |
| table    | int32   | (n, 8)     | neighbours                                                                     |
| degree   | int8    | (n,)       | number of neighbours                                                           |
| tables   | float64 | (n, 9)     | soft clues: likelihood of the shown clue by truth; exact: unused               |
| settled  | int8    | (n,)       | out: UNKNOWN 0, SAFE 1, MINE 2, OPEN 3; SAFE and MINE are certain              |
| p_mine   | float64 | (n,)       | out: chance of a mine; NaN where open                                          |
| others   |         |            | see workspace.py; the heads of ``longs`` and ``floats`` are results            |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.elimination import sum_backwards, sum_forwards
from sapper.kernels.frontier import (
    MINE,
    OPEN,
    SAFE,
    UNKNOWN,
    build_boxes,
    read_clues,
    settle_by_single_clues,
    split_components,
    tighten,
)
from sapper.kernels.ordering import choose_order
from sapper.kernels.reuse import FIRST_LAYER, describe, recall, remember
from sapper.kernels.reuse import SCALE as RECORD_SCALE
from sapper.kernels.totals import (
    find_possible,
    find_tilt,
    fold_suffixes,
    log_binomial,
    open_windows,
    weigh_rest,
    weigh_surroundings,
)
from sapper.kernels.workspace import (
    ALLOW,
    BASE,
    BOX_OF,
    BY_VERDICT,
    CACHED,
    CLOSING,
    CLUE_OF,
    CONTRADICTION,
    COST,
    FACTOR,
    FRONTIER,
    HEAD,
    HIGH,
    INFO_BASE,
    INFO_FRONTIER,
    INFO_LEFT,
    KNOWN,
    LABEL,
    LARGEST_LAYER,
    LAYERS,
    LEAST,
    LENGTH,
    LINKS,
    LOG_WEIGHT,
    MARGIN,
    MOST,
    N_AROUND,
    N_BOXES,
    N_COMPONENTS,
    N_FREE,
    N_LEFT,
    N_ROWS,
    NEED,
    OFFSET,
    OK,
    P_FREE,
    PLACE,
    POLY,
    PREFIX,
    RECORD,
    REST,
    REST_LEAST,
    REST_MOST,
    ROOM_CACHE,
    ROOM_LINKS,
    ROOM_SLOTS,
    ROOM_STATES,
    ROOM_WEIGHTS,
    SCALE,
    SHORT_LONGS,
    SIZE,
    SLOT,
    SMALL,
    SPAN,
    STAMP,
    START,
    STATES,
    SUFFIX,
    SUMMED,
    SUPPORT,
    TILT,
    TOP,
    WEIGHTS,
    WIDEST,
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
TINY = 1e-300
# Suffix products with more entries than this are kept in windows.
MANY = 100_000

BINOMIALS = np.array(
    [[1.0 if m == 0 else 0.0 for m in range(9)]]
    + [
        [float(np.prod([(k - i) / (i + 1) for i in range(m)]).round()) if m <= k else 0.0 for m in range(9)]
        for k in range(1, 9)
    ]
)


@inner_kernel
def weigh_settled_clues(cells: Int8s, tables: Floats, clue_count: int, rows: Ints) -> float:
    """Logarithm of the likelihood of the soft clues whose neighbours are all settled."""
    log_weight = 0.0
    for cell in range(cells.size):
        if cells[cell] >= 0 and rows[N_AROUND, cell] == 0:
            log_weight += np.log(tables[cell, rows[TOP, cell] - rows[HIGH, cell]])
    for clue in range(clue_count):
        if rows[N_LEFT, clue] == 0:
            log_weight += np.log(tables[rows[CLUE_OF, clue], rows[KNOWN, clue]])
    return log_weight


@inner_kernel
def weigh_fixed_boxes(box_count: int, rows: Ints) -> tuple[int, float]:
    """Return the mines in the boxes whose number of mines is fixed, and the logarithm of the ways to place them."""
    n_fixed = 0
    ways = 1.0
    log_ways = 0.0
    for box in range(box_count):
        if rows[LABEL, box] < 0:
            n_fixed += rows[LEAST, box]
            ways *= BINOMIALS[rows[SIZE, box], rows[LEAST, box]]
            if ways > 1e250:
                log_ways += np.log(ways)
                ways = 1.0
    return n_fixed, log_ways + np.log(ways)


@inner_kernel
def prepare_clues(clue_count: int, n_frontier: int, is_soft: bool, rows: Ints, boxes: Ints) -> None:
    """Reduce the clues to their free boxes, and note where each box lies."""
    for clue in range(clue_count):
        fixed, least, most, count = 0, 0, 0, 0
        for i in range(rows[N_BOXES, clue]):
            box = np.uint32(boxes[clue, i])
            if rows[LABEL, box] < 0:
                fixed += rows[LEAST, box]
            else:
                least += rows[LEAST, box]
                most += rows[MOST, box]
                count += 1
        rows[REST_LEAST, clue], rows[REST_MOST, clue], rows[N_LEFT, clue], rows[SLOT, clue] = least, most, count, -1
        source = np.uint32(rows[CLUE_OF, clue])
        allow = rows[HIGH, source] - fixed
        rows[ALLOW, clue], rows[NEED, clue] = allow, allow
        if is_soft:
            rows[NEED, clue] -= rows[SPAN, source]
            rows[KNOWN, clue] = rows[TOP, source] - allow
    for i in range(n_frontier - 1, -1, -1):
        cell = rows[FRONTIER, i]
        rows[PLACE, rows[BOX_OF, cell]] = cell


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
def tilt_polynomials(n_components: int, poly: Floats, begin: Longs, tilt: float) -> float:
    """Multiply entry i of every polynomial by tilt^i and scale it to a largest entry of 1; return the logarithm."""
    log_scale = 0.0
    log_tilt = np.log(tilt)
    for c in range(n_components):
        # In logarithms, so that a long polynomial with a steep tilt does not overflow.
        largest = -1e300
        for i in range(begin[c + 1] - begin[c]):
            if poly[begin[c] + i] > 0.0:
                largest = max(largest, np.log(poly[begin[c] + i]) + i * log_tilt)
        for i in range(begin[c + 1] - begin[c]):
            if poly[begin[c] + i] > 0.0:
                poly[begin[c] + i] = np.exp(np.log(poly[begin[c] + i]) + i * log_tilt - largest)
        log_scale += largest
    return log_scale


@inner_kernel
def close_with_total(
    n_components: int,
    n_left: int,
    n_free: int,
    boolean: bool,
    begin: Longs,
    at: Longs,
    lows: Longs,
    info: Floats,
    small: Floats,
    w: int,
) -> tuple[bool, float, float, int]:
    """Weigh the surroundings of every component when ``n_left`` mines more than their least are left for all.

    Returns whether that is possible, the logarithm of the weight, and of the cells that no clue touches the chance of a
    mine and the verdict.
    """
    poly, closing = small[POLY * w : CLOSING * w], small[CLOSING * w : REST * w]
    n_range = 1 + begin[n_components] - n_components
    least, most = max(0, n_left - n_free), min(n_range - 1, n_left)
    if least > most:
        return False, 0.0, 0.0, UNKNOWN
    rest, prefix = small[REST * w : REST * w + n_range], small[PREFIX * w : SUFFIX * w]
    suffix = small[SUFFIX * w : FACTOR * w]
    info[TILT] = 1.0
    tilted = not boolean and n_components * n_range > MANY
    log_weight = 0.0
    if tilted:
        info[TILT] = find_tilt(n_components, poly, begin, n_free, n_left)
        log_weight += tilt_polynomials(n_components, poly, begin, info[TILT])
    expected = open_windows(n_components, poly, begin, at, lows, tilted)
    log_weight += weigh_rest(rest, least, most, n_free, n_left, info[TILT], expected, boolean)
    if not (boolean and find_possible(n_components, poly, begin, least, most, prefix, closing)):
        if at[n_components + 1] > suffix.size:
            suffix = np.empty(at[n_components + 1])
        log_weight += fold_suffixes(n_components, poly, begin, rest, suffix, at, lows, boolean)
        if suffix[0] <= 0.0:
            return False, 0.0, 0.0, UNKNOWN
        log_weight += np.log(suffix[0])
        weigh_surroundings(n_components, poly, begin, suffix, at, lows, info[TILT], prefix, closing, boolean)
    mined, clear = 0.0, 0.0
    low = lows[n_components]
    for j in range(max(least, low), min(most + 1, low + at[n_components + 1] - at[n_components])):
        weight = prefix[j - low] * rest[j]
        mined += weight * (n_left - j)
        clear += weight * (n_free - n_left + j)
    verdict = SAFE if mined == 0.0 else MINE if clear == 0.0 else UNKNOWN
    return True, log_weight, mined / max(mined + clear, TINY), verdict


@inner_kernel
def sum_components(
    n_components: int,
    n_left: int,
    n_free: int,
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
    sums: Floats,
) -> tuple[int, float, int, float, int]:
    """Sum all components forwards, close them with the total, sum them backwards.

    Returns a status, the logarithm of the weight, the least mines that the components hold together, and of the cells
    that no clue touches the chance of a mine and the verdict. ``boolean`` asks only what is possible.
    """
    w = rows.shape[1]
    factor = small[FACTOR * w : FACTOR * w + 81].reshape((9, 9))
    weigh_counts(1.0 if track == 1 else odds, boolean, factor)
    first_layers, begin, at, lows, step = short[0], short[1], short[2], short[3], short[4]
    if used[ROOM_CACHE] == 0:
        forget(used)
    log_weight = 0.0
    base_sum = 0
    p_free, verdict = 0.0, UNKNOWN
    info[COST] = 0.0
    begin[0] = 0
    for c in range(n_components):
        first, last = rows[START, c], rows[START, c + 1]
        record, length = -1, 0
        if used[ROOM_CACHE] > 0 and not is_soft:
            length = describe(first, last, boolean, rows, clues, used, cache)
            if length > 0:
                record = recall(first, last, length, rows, used, cache)
        if record >= 0:
            first_layers[c] = cache[record + FIRST_LAYER]
            info[SCALE] = cache[record + RECORD_SCALE]
        else:
            info[COST] += choose_order(first, last, cols, rows, clues, boxes)
            first_layers[c] = used[LAYERS]
            status = sum_forwards(
                first, last, track, factor, is_soft, tables, boolean, rows, clues, layer, step, used, states, links,
                soft, weights, keys, hashed, slots, info,
            )  # fmt: skip
            if status != OK:
                return status, log_weight, base_sum, p_free, verdict
            used[SUMMED] += 1
            if length > 0:
                remember(first, last, length, first_layers[c], info[SCALE], rows, used, cache)
        log_weight += info[SCALE] * np.log(2.0)
        end = layer[first_layers[c] + last - first]
        base_sum += states[end, BASE]
        begin[c + 1] = begin[c] + states[end, LENGTH]
    # A component has at most as many mines as cells, so all polynomials together fit into 2w.
    poly, closing = small[POLY * w : CLOSING * w], small[CLOSING * w : REST * w]
    for c in range(n_components):
        end = layer[first_layers[c] + rows[START, c + 1] - rows[START, c]]
        largest = 0.0
        for i in range(begin[c + 1] - begin[c]):
            poly[begin[c] + i] = weights[states[end, OFFSET] + i]
            largest = max(largest, poly[begin[c] + i])
        for i in range(begin[c], begin[c + 1]):
            poly[i] /= largest
            closing[i] = 1.0
        log_weight += np.log(largest)
    if track == 1:
        possible, log_rest, p_free, verdict = close_with_total(
            n_components, n_left - base_sum, n_free, boolean, begin, at, lows, info, small, w
        )
        log_weight += log_rest
        if not possible:
            return CONTRADICTION, log_weight, base_sum, p_free, verdict
    behind = weights[used[WEIGHTS] :]
    if behind.size < 2 * used[LARGEST_LAYER]:
        behind = np.empty(2 * used[LARGEST_LAYER])
    for c in range(n_components):
        sum_backwards(
            rows[START, c], rows[START, c + 1], first_layers[c], track, factor, is_soft, boolean, closing[begin[c] :],
            rows, layer, states, links, soft, weights, behind, sums,
        )  # fmt: skip
    return OK, log_weight, base_sum, p_free, verdict


@inner_kernel
def write_cells(
    n_frontier: int,
    p_free: float,
    free_verdict: int,
    doubtful: bool,
    rows: Ints,
    sums: Floats,
    info: Floats,
    settled: Int8s,
    p_mine: Floats,
) -> None:
    """Turn the sums by box into the chance of every cell. Certain is what has weight zero otherwise."""
    n = settled.size
    if free_verdict != UNKNOWN:
        for cell in range(n):
            if settled[cell] == UNKNOWN and rows[BOX_OF, cell] < 0:
                settled[cell] = free_verdict
    info[BY_VERDICT + UNKNOWN], info[BY_VERDICT + SAFE] = p_free, 0.0
    info[BY_VERDICT + MINE], info[BY_VERDICT + OPEN] = 1.0, np.nan
    for cell in range(n):
        p_mine[cell] = info[BY_VERDICT + settled[cell]]
    for i in range(n_frontier):
        cell = np.uint32(rows[FRONTIER, i])
        box = np.uint32(rows[BOX_OF, cell])
        if rows[LABEL, box] < 0:
            mined = float(rows[LEAST, box])
            clear = float(rows[SIZE, box] - rows[LEAST, box])
        else:
            mined, clear = sums[0, box], sums[1, box]
        p = mined / (mined + clear)
        if doubtful and rows[LABEL, box] >= 0:
            # What is possible was found without floats; a chance that underflowed is still no zero.
            possible = rows[SUPPORT, box]
            settled[cell] = SAFE if possible == 2 else MINE if possible == 1 else UNKNOWN
            p_mine[cell] = 0.0 if possible == 2 else 1.0 if possible == 1 else min(max(p, TINY), 1.0 - 2.0**-53)
        else:
            settled[cell] = SAFE if mined == 0.0 else MINE if clear == 0.0 else UNKNOWN
            p_mine[cell] = p


@kernel
def solve(
    cells: Int8s,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,  # -1: unknown
    odds: float,  # with the total unknown: prior odds of a mine
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    settled: Int8s,
    p_mine: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
) -> int:
    """Fill ``settled``, ``p_mine`` and the heads of ``longs`` and ``floats``; return a status."""
    n = cells.size
    w = n + MARGIN
    used, info = longs[:HEAD], floats[:HEAD]
    rows = ints[: N_ROWS * w].reshape((N_ROWS, w))
    lists = ints[N_ROWS * w : (N_ROWS + 16) * w].reshape((2, w, 8))
    clues, boxes = lists[0], lists[1]
    used[WIDEST] = 0
    if used[ROOM_CACHE] == 0 or is_half_full(used, w):
        forget(used)

    n_unknown, n_known = read_clues(cells, table, degree, trust_flags, is_soft, tables, settled, rows)
    status, n_safe, n_settled = settle_by_single_clues(cells, table, degree, is_soft, settled, rows)
    if status != OK:
        return status
    clue_count, box_count, n_frontier = build_boxes(cells, table, degree, settled, rows, clues, boxes)
    if tighten(clue_count, box_count, is_soft, rows, boxes) != OK:
        return CONTRADICTION
    n_components = split_components(box_count, rows, clues, boxes)
    n_free = n_unknown - n_safe - n_settled - n_frontier
    track = 1 if total >= 0 else 0
    n_fixed, log_weight = weigh_fixed_boxes(box_count, rows)
    n_left = total - n_known - n_settled - n_fixed
    if track == 1 and n_left < 0:
        return CONTRADICTION
    if n_components > 0 or is_soft:
        prepare_clues(clue_count, n_frontier, is_soft, rows, boxes)
    if is_soft:
        log_weight += weigh_settled_clues(cells, tables, clue_count, rows)
    if track == 0:
        log_weight += (n_fixed + n_settled) * np.log(odds) + n_free * np.log1p(odds)

    sums = floats[HEAD : HEAD + 2 * w].reshape((2, w))
    base_sum = 0
    doubtful = False
    p_free = odds / (1.0 + odds)
    free_verdict = UNKNOWN
    if n_components == 0:
        if track == 1:
            if n_left > n_free:
                return CONTRADICTION
            log_weight += log_binomial(n_free, n_left)
            p_free = n_left / max(n_free, 1)
            free_verdict = SAFE if n_left == 0 else MINE if n_left == n_free else UNKNOWN
    else:
        small = floats[HEAD + 2 * w : HEAD + (2 + SMALL) * w]
        pool = HEAD + (2 + SMALL) * w
        weights, soft = floats[pool : pool + used[ROOM_WEIGHTS]], floats[pool + used[ROOM_WEIGHTS] :]
        pool = (N_ROWS + 16) * w
        layer = ints[pool : pool + 2 * w]
        pool += 2 * w
        states = ints[pool : pool + RECORD * used[ROOM_STATES]].reshape((used[ROOM_STATES], RECORD))
        pool += RECORD * used[ROOM_STATES]
        links = ints[pool : pool + used[ROOM_LINKS]]
        pool += used[ROOM_LINKS]
        slots = ints[pool : pool + 2 * used[ROOM_SLOTS]].reshape((used[ROOM_SLOTS], 2))
        pool += 2 * used[ROOM_SLOTS]
        cache = ints[pool : pool + used[ROOM_CACHE]]
        short = longs[HEAD : HEAD + SHORT_LONGS * w].reshape((SHORT_LONGS, w))
        pool = HEAD + SHORT_LONGS * w
        keys = longs[pool : pool + 4 * used[ROOM_SLOTS]].reshape((2, used[ROOM_SLOTS], 2))
        pool += 4 * used[ROOM_SLOTS]
        hashed = longs[pool : pool + 2 * used[ROOM_SLOTS]].reshape((used[ROOM_SLOTS], 2))
        if used[STAMP] > 2_000_000_000:
            used[STAMP] = 0
            slots[:] = 0

        # Weights are floats. Where they might underflow, what is possible at all is found first, in a turn of its own.
        doubtful = is_soft or may_underflow(n_left if track == 1 else -1, n_free, box_count, rows)
        possible_verdict = UNKNOWN
        for turn in range(0 if doubtful else 1, 2):
            boolean = turn == 0
            status, log_sum, base_sum, p_sum, verdict = sum_components(
                n_components, n_left, n_free, cols, track, odds, is_soft, tables, boolean, rows, clues, boxes, layer,
                short, used, info, states, links, soft, weights, small, keys, hashed, slots, cache, sums,
            )  # fmt: skip
            if status != OK:
                return status
            if boolean:
                possible_verdict = verdict
                for box in range(box_count):
                    rows[SUPPORT, box] = (sums[0, box] > 0.0) + 2 * (sums[1, box] > 0.0)
                prepare_clues(clue_count, n_frontier, is_soft, rows, boxes)
            else:
                log_weight += log_sum
                if track == 1:
                    p_free = p_sum
                    free_verdict = possible_verdict if doubtful else verdict
    info[LOG_WEIGHT], info[P_FREE], info[N_FREE], info[N_COMPONENTS] = log_weight, p_free, n_free, n_components
    info[INFO_LEFT], info[INFO_BASE], info[INFO_FRONTIER] = n_left, base_sum, n_frontier
    write_cells(n_frontier, p_free, free_verdict, doubtful, rows, sums, info, settled, p_mine)
    return OK
