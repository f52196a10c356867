"""Closing the components with the total: what surrounds each of them, and the cells that no clue touches."""

from __future__ import annotations

from math import exp, log

from sapper.kernels.codes import CONTRADICTION, MINE, MORE_PRODUCTS, OK, SAFE, UNKNOWN
from sapper.kernels.engine.totals import (
    find_possible,
    find_tilt,
    fold_suffixes,
    open_windows,
    weigh_rest,
    weigh_surroundings,
)
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Flag, Int, inner

# Suffix products with more entries than this are kept in windows.
MANY_PRODUCTS = 100_000

TINY = 1e-300


@inner
def tilt_polynomials(ws: Workspace) -> Double:
    """Multiply entry i of every polynomial by tilt^i and scale it to a largest entry of 1; return the logarithm."""
    log_scale: Double = 0.0
    largest: Double
    log_tilt = log(ws.tilt)
    for c in range(ws.component_count):
        # In logarithms, so that a long polynomial with a steep tilt does not overflow.
        largest = -1e300
        for i in range(ws.begin[c + 1] - ws.begin[c]):
            if ws.poly[ws.begin[c] + i] > 0.0:
                largest = max(largest, log(ws.poly[ws.begin[c] + i]) + i * log_tilt)
        for i in range(ws.begin[c + 1] - ws.begin[c]):
            if ws.poly[ws.begin[c] + i] > 0.0:
                ws.poly[ws.begin[c] + i] = exp(log(ws.poly[ws.begin[c] + i]) + i * log_tilt - largest)
        log_scale += largest
    return log_scale


@inner
def weigh_free_cells(ws: Workspace, n_left: Int, least: Int, most: Int) -> None:
    """Find the chance of a mine, and the verdict, where no clue touches."""
    mined: Double = 0.0
    clear: Double = 0.0
    low = ws.window_low[ws.component_count]
    end = low + ws.suffix_at[ws.component_count + 1] - ws.suffix_at[ws.component_count]
    for j in range(max(least, low), min(most + 1, end)):
        weight = ws.prefix[j - low] * ws.rest[j]
        mined += weight * (n_left - j)
        clear += weight * (ws.n_free - n_left + j)
    ws.free_verdict = SAFE if mined == 0.0 else MINE if clear == 0.0 else UNKNOWN
    ws.p_free = mined / max(mined + clear, TINY)


@inner
def close_with_total(ws: Workspace, n_left: Int) -> Int:
    """Weigh the surroundings of every component when ``n_left`` mines more than their least are left for all.

    Returns a status; finds the free cells' chance too, and adds the logarithm of the weight to ``log_sum``.
    """
    tilted: Flag
    log_weight: Double = 0.0
    n_range = 1 + ws.begin[ws.component_count] - ws.component_count
    least, most = max(0, n_left - ws.n_free), min(n_range - 1, n_left)
    if least > most:
        return CONTRADICTION
    ws.tilt = 1.0
    # As floats: on the largest boards the product of the two is beyond 31 bits.
    tilted = not ws.boolean and float(ws.component_count) * n_range > MANY_PRODUCTS
    if tilted:
        ws.tilt = find_tilt(ws, n_left)
        log_weight += tilt_polynomials(ws)
    expected = open_windows(ws, tilted)
    log_weight += weigh_rest(ws, n_range, least, most, n_left, expected)
    if not (ws.boolean and find_possible(ws, least, most)):
        ws.wanted = ws.suffix_at[ws.component_count + 1]
        if ws.wanted > ws.suffix.shape[0]:
            return MORE_PRODUCTS
        log_weight += fold_suffixes(ws)
        if ws.suffix[0] <= 0.0:
            return CONTRADICTION
        log_weight += log(ws.suffix[0])
        weigh_surroundings(ws)
    ws.log_sum += log_weight
    weigh_free_cells(ws, n_left, least, most)
    return OK
