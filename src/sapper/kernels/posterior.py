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
from sapper.kernels.carving import carve_floats, carve_longs, carve_rows, carve_states
from sapper.kernels.closing import close_with_total
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
from sapper.kernels.summing import (
    BINOMIALS,
    forget,
    is_half_full,
    may_underflow,
    sum_components_backwards,
    sum_components_forwards,
)
from sapper.kernels.totals import log_binomial
from sapper.kernels.workspace import (
    ALLOW,
    BOX_OF,
    BY_VERDICT,
    CLUE_OF,
    CONTRADICTION,
    FRONTIER,
    HEAD,
    HIGH,
    INFO_BASE,
    INFO_FRONTIER,
    INFO_LEFT,
    KNOWN,
    LABEL,
    LEAST,
    LOG_WEIGHT,
    MOST,
    N_AROUND,
    N_BOXES,
    N_COMPONENTS,
    N_FREE,
    N_LEFT,
    NEED,
    OK,
    P_FREE,
    PLACE,
    REST_LEAST,
    REST_MOST,
    ROOM_CACHE,
    SIZE,
    SLOT,
    SPAN,
    STAMP,
    SUPPORT,
    TOP,
    WIDEST,
)

TINY = 1e-300

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]


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


@inner_kernel
def read_position(
    cells: Int8s,
    table: Ints,
    degree: Int8s,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    settled: Int8s,
    rows: Ints,
    clues: Ints,
    boxes: Ints,
) -> tuple[int, int, int, int, int, int, int, float]:
    """Settle what single clues settle and group the rest into components.

    Returns a status, the numbers of clues, boxes, frontier cells, components and cells that no clue touches, the mines
    left for the last two, and the logarithm of the weight of what is settled.
    """
    n_unknown, n_known = read_clues(cells, table, degree, trust_flags, is_soft, tables, settled, rows)
    status, n_safe, n_settled = settle_by_single_clues(cells, table, degree, is_soft, settled, rows)
    if status != OK:
        return status, 0, 0, 0, 0, 0, 0, 0.0
    clue_count, box_count, n_frontier = build_boxes(cells, table, degree, settled, rows, clues, boxes)
    if tighten(clue_count, box_count, is_soft, rows, boxes) != OK:
        return CONTRADICTION, 0, 0, 0, 0, 0, 0, 0.0
    n_components = split_components(box_count, rows, clues, boxes)
    n_free = n_unknown - n_safe - n_settled - n_frontier
    n_fixed, log_weight = weigh_fixed_boxes(box_count, rows)
    n_left = total - n_known - n_settled - n_fixed
    if total >= 0 and n_left < 0:
        return CONTRADICTION, 0, 0, 0, 0, 0, 0, 0.0
    if n_components > 0 or is_soft:
        prepare_clues(clue_count, n_frontier, is_soft, rows, boxes)
    if is_soft:
        log_weight += weigh_settled_clues(cells, tables, clue_count, rows)
    if total < 0:
        log_weight += (n_fixed + n_settled) * np.log(odds) + n_free * np.log1p(odds)
    return OK, clue_count, box_count, n_frontier, n_components, n_free, n_left, log_weight


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
    used, info = longs[:HEAD], floats[:HEAD]
    rows, clues, boxes = carve_rows(n, ints)
    sums, small, weights, soft = carve_floats(n, floats, used)
    used[WIDEST] = 0
    if used[ROOM_CACHE] == 0 or is_half_full(used, rows.shape[1]):
        forget(used)

    track = 1 if total >= 0 else 0
    status, clue_count, box_count, n_frontier, n_components, n_free, n_left, log_weight = read_position(
        cells, table, degree, total, odds, trust_flags, is_soft, tables, settled, rows, clues, boxes
    )
    if status != OK:
        return status

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
        layer, states, links, slots, cache = carve_states(n, ints, used)
        short, keys, hashed = carve_longs(n, longs)
        if used[STAMP] > 2_000_000_000:
            used[STAMP] = 0
            slots[:] = 0

        # Weights are floats. Where they might underflow, what is possible at all is found first, in a turn of its own.
        doubtful = is_soft or may_underflow(n_left if track == 1 else -1, n_free, box_count, rows)
        possible_verdict = UNKNOWN
        for turn in range(0 if doubtful else 1, 2):
            boolean = turn == 0
            status, log_sum, base_sum, list_end = sum_components_forwards(
                n_components, cols, track, odds, is_soft, tables, boolean, rows, clues, boxes, layer, short, used, info,
                states, links, soft, weights, small, keys, hashed, slots, cache,
            )  # fmt: skip
            if status != OK:
                return status
            verdict = UNKNOWN
            if track == 1:
                possible, log_rest, p_free, verdict = close_with_total(
                    n_components, n_left - base_sum, n_free, boolean, short, info, small, rows.shape[1]
                )
                if not possible:
                    return CONTRADICTION
                log_sum += log_rest
            sum_components_backwards(
                n_components, list_end, track, odds, is_soft, boolean, rows, layer, short, used, states, links, soft,
                weights, small, sums,
            )  # fmt: skip
            if boolean:
                possible_verdict = verdict
                for box in range(box_count):
                    rows[SUPPORT, box] = (sums[0, box] > 0.0) + 2 * (sums[1, box] > 0.0)
                prepare_clues(clue_count, n_frontier, is_soft, rows, boxes)
            else:
                log_weight += log_sum
                free_verdict = possible_verdict if doubtful else verdict
    info[LOG_WEIGHT], info[P_FREE], info[N_FREE], info[N_COMPONENTS] = log_weight, p_free, n_free, n_components
    info[INFO_LEFT], info[INFO_BASE], info[INFO_FRONTIER] = n_left, base_sum, n_frontier
    write_cells(n_frontier, p_free, free_verdict, doubtful, rows, sums, info, settled, p_mine)
    return OK
