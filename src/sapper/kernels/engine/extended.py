"""Numbers beyond the range of a float: a mantissa and an exponent to base 2²⁵⁶.

Weights that might exceed the range of a float are stored as such pairs. Their sums and products neither overflow nor
underflow, so a weight of zero is exactly zero, and they are as precise as floats.
"""

from __future__ import annotations

from sapper.kernels.language import Double, Int, inner

RADIX = 2.0**256
LOG_RADIX = 177.445678223346
# A mantissa is zero or from MIN_MANTISSA to below MAX_MANTISSA: the product of any three remains a float.
MAX_MANTISSA = 2.0**128
MIN_MANTISSA = 2.0**-128


@inner
def normalise(mantissa: Double, exponent: Int) -> tuple[Double, Int]:
    """Return the same number with its mantissa in range."""
    if mantissa <= 0.0:
        return 0.0, 0
    while mantissa >= MAX_MANTISSA:
        mantissa /= RADIX
        exponent += 1
    while mantissa < MIN_MANTISSA:
        mantissa *= RADIX
        exponent -= 1
    return mantissa, exponent


@inner
def shift_down(mantissa: Double, n_steps: Int) -> Double:
    """Return a mantissa relative to an exponent that is ``n_steps`` larger; it soon becomes zero."""
    while n_steps > 0 and mantissa > 0.0:
        mantissa /= RADIX
        n_steps -= 1
    return mantissa


@inner
def add(one: Double, one_exponent: Int, other: Double, other_exponent: Int) -> tuple[Double, Int]:
    """Return the sum of two non-negative numbers."""
    if other <= 0.0:
        return one, one_exponent
    if one <= 0.0:
        return normalise(other, other_exponent)
    if one_exponent >= other_exponent:
        return normalise(one + shift_down(other, one_exponent - other_exponent), one_exponent)
    return normalise(shift_down(one, other_exponent - one_exponent) + other, other_exponent)
