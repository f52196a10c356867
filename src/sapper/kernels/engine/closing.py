"""Closing the components with the total: what surrounds each of them, and the cells that no clue touches."""

from __future__ import annotations

from math import exp, log

from sapper.kernels.codes import CONTRADICTION, MINE, MORE_PRODUCTS, OK, OUT_OF_RANGE, SAFE, UNKNOWN
from sapper.kernels.engine.extended import LOG_RADIX, normalise
from sapper.kernels.engine.totals import (
    find_possible,
    find_tilt,
    fold_suffixes,
    open_windows,
    tilt_polynomials,
    weigh_rest,
    weigh_surroundings,
)
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Int, inner, truncate

TINY = 1e-300

# Exponents of what surrounds a component: no layout has it, or one has but it weighs too little for a float.
NEVER = -2_000_000_000
VANISHING = -100_000_000


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
def join_components(ws: Workspace, n_range: Int, n_left: Int) -> Int:
    """Weigh the surroundings of every component, and the cells that no clue touches; return a status."""
    log_weight: Double
    least, most = max(0, n_left - ws.n_free), min(n_range - 1, n_left)
    expected = open_windows(ws)
    log_weight = weigh_rest(ws, n_range, least, most, n_left, expected)
    if not (ws.boolean and find_possible(ws, least, most)):
        ws.wanted = ws.suffix_at[ws.component_count + 1]
        if ws.wanted > ws.suffix.shape[0]:
            return MORE_PRODUCTS
        log_weight += fold_suffixes(ws)
        if ws.suffix[0] <= 0.0:
            return CONTRADICTION
        log_weight += log(ws.suffix[0])
        if not weigh_surroundings(ws):
            return CONTRADICTION
    weigh_free_cells(ws, n_left, least, most)
    ws.log_sum += 0.0 if ws.boolean else log_weight
    return OK


@inner
def join_extended(ws: Workspace, n_range: Int, n_left: Int) -> Int:
    """Do what `join_components` does with weights that have exponents; return a status.

    What is possible comes first, in a turn that knows only zero and one. The weights themselves are tilted, so that
    what counts is near 1, and tilted back.
    """
    exponent: Int
    ws.log_tilt, ws.boolean = 0.0, True
    status = join_components(ws, n_range, n_left)
    ws.boolean = False
    if status != OK:
        return status
    possible_verdict = ws.free_verdict
    for i in range(ws.begin[ws.component_count]):
        ws.closing_exponent[i] = VANISHING if ws.closing[i] > 0.0 else NEVER
    ws.log_tilt = find_tilt(ws, n_left)
    ws.log_sum += tilt_polynomials(ws)
    status = join_components(ws, n_range, n_left)
    if status != OK:
        # It is possible, but what it weighs is too small for a float, tilted or not.
        return OUT_OF_RANGE if status == CONTRADICTION else status
    ws.free_verdict = possible_verdict
    for c in range(ws.component_count):
        for i in range(ws.begin[c], ws.begin[c + 1]):
            if ws.closing_exponent[i] == NEVER:
                ws.closing[i], ws.closing_exponent[i] = 0.0, 0
            elif ws.closing[i] <= 0.0:
                ws.closing[i] = 1.0
            else:
                log_power = (i - ws.begin[c]) * ws.log_tilt
                exponent = truncate(log_power / LOG_RADIX)
                ws.closing[i], ws.closing_exponent[i] = normalise(
                    ws.closing[i] * exp(log_power - exponent * LOG_RADIX), exponent
                )
    return OK


@inner
def close_with_total(ws: Workspace, n_left: Int) -> Int:
    """Weigh the surroundings of every component when ``n_left`` mines more than their least are left for all.

    Returns a status; finds the free cells' chance too, and adds the logarithm of the weight to ``log_sum``.
    """
    n_range = 1 + ws.begin[ws.component_count] - ws.component_count
    if max(0, n_left - ws.n_free) > min(n_range - 1, n_left):
        return CONTRADICTION
    ws.log_tilt = 0.0
    return join_extended(ws, n_range, n_left) if ws.extended else join_components(ws, n_range, n_left)
