"""The total ties the components together: the weight of everything outside each of them, by its mines.

Every component comes as a polynomial in its number of mines, and the cells that no clue touches take what is left,
in C(cells, mines left) ways. Suffix products are stored and prefix products run along, so that each component's
surroundings are one dot product per number of mines. Quadratic in the mines that the components can hold, in the
worst case.

| array     | dtype   | shape  | meaning                                                                         |
|-----------|---------|--------|---------------------------------------------------------------------------------|
| poly      | float64 | (P,)   | the polynomials one behind the other, each scaled to a largest entry near 1     |
| begin     | int64   | (C+1,) | where each begins in ``poly``                                                   |
| rest      | float64 | (R,)   | weight of the unconstrained cells when the components hold j more than least    |
| suffix    | float64 | (X,)   | suffix products, from the last component to the first                           |
| at        | int64   | (C+2,) | where the suffix product of each component begins                               |
| closing   | float64 | (P,)   | out: like ``poly``: the weight of everything else                               |
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
def weigh_rest(rest: Floats, low: int, high: int, n_free: int, n_left: int, boolean: bool) -> float:
    """Fill rest[j] with C(n_free, n_left - j), scaled to 1 at its largest; return the logarithm of the scale.

    ``low`` to ``high`` are the j that are possible at all; the others are 0. Starting from the largest, nothing
    overflows, however large the board.
    """
    for j in range(rest.size):
        rest[j] = 0.0
    if boolean:
        for j in range(low, high + 1):
            rest[j] = 1.0
        return 0.0
    # C(n, k) is largest at k = n / 2.
    peak = min(max(n_left - n_free // 2, low), high)
    rest[peak] = 1.0
    for j in range(peak, high):
        k = n_left - j
        rest[j + 1] = rest[j] * k / (n_free - k + 1)
    for j in range(peak, low, -1):
        k = n_left - j
        rest[j - 1] = rest[j] * (n_free - k) / (k + 1)
    return log_binomial(n_free, n_left - peak)


@inner_kernel
def fold_suffixes(
    n_components: int, poly: Floats, begin: Longs, rest: Floats, suffix: Floats, at: Longs, boolean: bool
) -> float:
    """Fill the suffix products; return the natural logarithm by which they were scaled down in all.

    Entry j of the suffix from component c on is the weight of all from c on when those before hold j mines more
    than their least.
    """
    scaled = 0.0
    end = at[n_components]
    for j in range(rest.size):
        suffix[end + j] = rest[j]
    for c in range(n_components - 1, -1, -1):
        first, length = begin[c], begin[c + 1] - begin[c]
        here, behind = at[c], at[c + 1]
        largest = 0.0
        for j in range(at[c + 1] - at[c]):
            total = 0.0
            for i in range(length):
                total += poly[first + i] * suffix[behind + j + i]
            if boolean and total > 0.0:
                total = 1.0
            suffix[here + j] = total
            largest = max(largest, total)
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
    prefix: Floats,
    closing: Floats,
    boolean: bool,
) -> None:
    """Fill ``closing`` for every component, its largest entry 1. ``prefix`` ends up as the product of them all."""
    prefix[0] = 1.0
    n_prefix = 1
    for c in range(n_components):
        first, length = begin[c], begin[c + 1] - begin[c]
        behind = at[c + 1]
        top = 0.0
        for i in range(length):
            total = 0.0
            for j in range(n_prefix):
                total += prefix[j] * suffix[behind + j + i]
            closing[first + i] = total
            top = max(top, total)
        for i in range(first, first + length):
            closing[i] = (1.0 if closing[i] > 0.0 else 0.0) if boolean else closing[i] / top
        # Multiply in place, from the top so that nothing is overwritten before it is read.
        largest = 0.0
        for j in range(n_prefix + length - 2, -1, -1):
            total = 0.0
            for i in range(max(0, j - n_prefix + 1), min(length, j + 1)):
                total += poly[first + i] * prefix[j - i]
            if boolean and total > 0.0:
                total = 1.0
            prefix[j] = total
            largest = max(largest, total)
        n_prefix += length - 1
        if largest > 1e100 or largest < 1e-100:
            for j in range(n_prefix):
                prefix[j] /= largest
