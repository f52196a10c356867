"""Closing the components with the total: what surrounds each of them, and the cells that no clue touches.

Arrays: see workspace.py and totals.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.frontier import MINE, SAFE, UNKNOWN
from sapper.kernels.totals import (
    find_possible,
    find_tilt,
    fold_suffixes,
    open_windows,
    weigh_rest,
    weigh_surroundings,
)
from sapper.kernels.workspace import (
    BEGIN,
    CLOSING,
    FACTOR,
    POLY,
    PREFIX,
    REST,
    SUFFIX,
    SUFFIX_AT,
    TILT,
    WINDOW_LOW,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Suffix products with more entries than this are kept in windows.
MANY = 100_000

TINY = 1e-300


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
    short: Longs,
    info: Floats,
    small: Floats,
    w: int,
) -> tuple[bool, float, float, int]:
    """Weigh the surroundings of every component when ``n_left`` mines more than their least are left for all.

    Returns whether that is possible, the logarithm of the weight, and of the cells that no clue touches the chance of a
    mine and the verdict.
    """
    begin, at, lows = short[BEGIN], short[SUFFIX_AT], short[WINDOW_LOW]
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
