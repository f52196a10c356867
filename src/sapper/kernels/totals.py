"""The total ties the components together: the weight of everything outside each of them, by its mines.

Every component comes as a polynomial in its number of mines, and the cells that no clue touches take what is left,
in C(cells, mines left) ways. Suffix products are stored and prefix products run along, so that each component's
surroundings are one dot product per number of mines.

With thousands of components the full products would be quadratic in the board. Then the weights are tilted: each mine
counts t times, with t such that the expected number of mines is the total; what has any weight lies within a few
standard deviations of its mean, and only that window is kept. What is left out weighs less than 1e-17 of the whole,
below the rounding of the rest; what is possible at all is never decided by it.

| array     | dtype   | shape  | meaning                                                                         |
|-----------|---------|--------|---------------------------------------------------------------------------------|
| poly      | float64 | (P,)   | the polynomials one behind the other, each scaled to a largest entry of 1       |
| begin     | int64   | (C+1,) | where each begins in ``poly``                                                   |
| rest      | float64 | (R,)   | weight of the unconstrained cells when the components hold j more than least    |
| suffix    | float64 | (X,)   | suffix products, from the last component to the first                           |
| at        | int64   | (C+2,) | where the suffix product of each component begins                               |
| lows      | int64   | (C+1,) | the mines, more than least, of all components before that its first entry is for|
| closing   | float64 | (P,)   | out: like ``poly``: the weight of everything else, its largest entry 1          |
"""

from __future__ import annotations

from math import lgamma
from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]


# Small factorials by table: a call of lgamma takes longer than a whole small component.
LOG_FACTORIALS = np.cumsum(np.log(np.maximum(np.arange(1024), 1)))


@inner_kernel
def log_binomial(n: int, k: int) -> float:
    """Natural logarithm of C(n, k)."""
    if n < LOG_FACTORIALS.size:
        return float(LOG_FACTORIALS[n] - LOG_FACTORIALS[k] - LOG_FACTORIALS[n - k])
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)


@inner_kernel
def find_tilt(n_components: int, poly: Floats, begin: Longs, n_free: int, n_left: int) -> float:
    """Return the factor per mine at which as many mines as are left are expected, by bisection of its logarithm."""
    low, high = -40.0, 40.0
    for _ in range(40):
        middle = (low + high) / 2
        factor = np.exp(middle)
        step = np.exp(-abs(middle))
        expected = n_free * factor / (1.0 + factor)
        for c in range(n_components):
            total, weighted, power = 0.0, 0.0, 1.0
            # Down from the top or up from the bottom, so that powers never overflow.
            length = begin[c + 1] - begin[c]
            for i in range(length):
                k = i if factor <= 1.0 else length - 1 - i
                weight = poly[begin[c] + k] * power
                total += weight
                weighted += k * weight
                power *= step
            expected += weighted / total
        if expected < n_left:
            low = middle
        else:
            high = middle
    return float(np.exp((low + high) / 2))


@inner_kernel
def open_windows(n_components: int, poly: Floats, begin: Longs, at: Longs, lows: Longs, tilted: bool) -> float:
    """Set the windows of the suffix products; return the mines, more than least, that the components expect.

    Without tilt every window is the full range.
    """
    at[0], lows[0] = 0, 0
    mean, variance = 0.0, 0.0
    n_before = 1  # entries of the full product so far
    width = 1
    for c in range(n_components):
        at[c + 1] = at[c] + width
        length = begin[c + 1] - begin[c]
        total, first, second = 0.0, 0.0, 0.0
        for i in range(length):
            weight = poly[begin[c] + i]
            total += weight
            first += i * weight
            second += i * i * weight
        mean += first / total
        variance += second / total - (first / total) ** 2
        n_before += length - 1
        lows[c + 1], width = 0, n_before
        if tilted:
            reach = 9.0 * np.sqrt(variance) + 16.0
            lows[c + 1] = max(0, int(mean - reach))
            width = min(n_before, int(mean + reach) + 2) - lows[c + 1]
    at[n_components + 1] = at[n_components] + width
    return mean


@inner_kernel
def weigh_rest(
    rest: Floats, low: int, high: int, n_free: int, n_left: int, tilt: float, expected: float, boolean: bool
) -> float:
    """Fill rest[j] with C(n_free, n_left - j) / tilt^j, scaled to about 1 at its largest; return the scale's logarithm.

    ``low`` to ``high`` are the j that are possible at all; the others are 0. Starting from the largest, nothing
    overflows, however large the board.
    """
    for j in range(rest.size):
        rest[j] = 0.0
    if boolean:
        for j in range(low, high + 1):
            rest[j] = 1.0
        return 0.0
    # C(n, k) is largest at k = n / 2; tilted, it is where the mines are expected.
    middle = n_left - n_free // 2 if tilt == 1.0 else int(expected)
    peak = min(max(middle, low), high)
    rest[peak] = 1.0
    for j in range(peak, high):
        k = n_left - j
        rest[j + 1] = rest[j] * k / ((n_free - k + 1) * tilt)
    for j in range(peak, low, -1):
        k = n_left - j
        rest[j - 1] = rest[j] * (n_free - k) * tilt / (k + 1)
    return float(log_binomial(n_free, n_left - peak) - peak * np.log(tilt))


@inner_kernel
def fold_suffixes(
    n_components: int,
    poly: Floats,
    begin: Longs,
    rest: Floats,
    suffix: Floats,
    at: Longs,
    lows: Longs,
    boolean: bool,
) -> float:
    """Fill the suffix products; return the natural logarithm by which they were scaled down in all.

    Entry j of the suffix from component c on is the weight of all from c on when those before hold lows[c] + j mines
    more than their least.
    """
    scaled = 0.0
    for j in range(at[n_components + 1] - at[n_components]):
        suffix[at[n_components] + j] = rest[lows[n_components] + j]
    for c in range(n_components - 1, -1, -1):
        first, length = begin[c], begin[c + 1] - begin[c]
        here, behind = at[c], at[c + 1]
        n_behind = at[c + 2] - at[c + 1]
        n_here = at[c + 1] - at[c]
        for j in range(n_here):
            suffix[here + j] = 0.0
        for i in range(length):
            # The long loop innermost: it runs several entries at a time.
            shift = lows[c] - lows[c + 1] + i
            factor = poly[first + i]
            for j in range(max(0, -shift), min(n_here, n_behind - shift)):
                suffix[here + j] += factor * suffix[behind + shift + j]
        largest = 0.0
        for j in range(n_here):
            if boolean and suffix[here + j] > 0.0:
                suffix[here + j] = 1.0
            largest = max(largest, suffix[here + j])
        if largest > 0.0 and (largest > 1e100 or largest < 1e-100):
            for j in range(at[c + 1] - at[c]):
                suffix[here + j] /= largest
            scaled += np.log(largest)
    return scaled


@inner_kernel
def weigh_surroundings(
    n_components: int,
    poly: Floats,
    begin: Longs,
    suffix: Floats,
    at: Longs,
    lows: Longs,
    tilt: float,
    prefix: Floats,
    closing: Floats,
    boolean: bool,
) -> None:
    """Fill ``closing`` for every component. ``prefix`` ends up as the product of them all, from its window's low on."""
    prefix[0] = 1.0
    n_prefix = 1
    for c in range(n_components):
        first, length = begin[c], begin[c + 1] - begin[c]
        behind, n_behind = at[c + 1], at[c + 2] - at[c + 1]
        shift = lows[c] - lows[c + 1]
        top = 0.0
        power = 1.0
        for i in range(length):
            low, high = max(0, -shift - i), min(n_prefix, n_behind - shift - i)
            there = behind + shift + i
            # Four sums side by side: one alone would wait for each addition to end.
            one, two, three, four = 0.0, 0.0, 0.0, 0.0
            for j in range(low, high - 3, 4):
                one += prefix[j] * suffix[there + j]
                two += prefix[j + 1] * suffix[there + j + 1]
                three += prefix[j + 2] * suffix[there + j + 2]
                four += prefix[j + 3] * suffix[there + j + 3]
            for j in range(low + max(high - low, 0) // 4 * 4, high):
                one += prefix[j] * suffix[there + j]
            total = one + two + three + four
            closing[first + i] = (1.0 if total > 0.0 else 0.0) if boolean else total * power
            top = max(top, closing[first + i])
            power *= tilt
        for i in range(first, first + length):
            closing[i] /= top
        # Multiply into the next window, behind this one first: entry j there is entry j - shift of this one's range.
        for j in range(n_behind):
            prefix[n_prefix + j] = 0.0
        for i in range(length):
            factor = poly[first + i]
            for j in range(max(0, shift + i), min(n_behind, shift + i + n_prefix)):
                prefix[n_prefix + j] += factor * prefix[j - shift - i]
        largest = 0.0
        for j in range(n_behind):
            if boolean and prefix[n_prefix + j] > 0.0:
                prefix[n_prefix + j] = 1.0
            largest = max(largest, prefix[n_prefix + j])
        for j in range(n_behind):
            prefix[j] = prefix[n_prefix + j] / largest
        n_prefix = n_behind


@inner_kernel
def find_possible(
    n_components: int, poly: Floats, begin: Longs, least: int, most: int, prefix: Floats, closing: Floats
) -> bool:
    """Like `weigh_surroundings`, but only what is possible, if that can be told from ranges alone; return whether.

    It can if no polynomial has a gap: then any number of mines between the least and the most of the others is
    possible, and all that counts is whether some number among them closes with the total.
    """
    n_range = 1 + begin[n_components] - n_components
    for i in range(begin[n_components]):
        if poly[i] <= 0.0:
            return False
    for c in range(n_components):
        length = begin[c + 1] - begin[c]
        for i in range(length):
            closing[begin[c] + i] = 1.0 if i <= most and i + n_range - length >= least else 0.0
    for j in range(n_range):
        prefix[j] = 1.0
    return True
