"""Rates and means with 95% intervals, and paired comparisons on the same boards."""

from __future__ import annotations

import math
from typing import NamedTuple

Z95 = 1.959963984540054


class Interval(NamedTuple):
    """An estimate and the ends of its 95% interval."""

    value: float
    low: float
    high: float


def wilson(n_successes: int, n: int, z: float = Z95) -> Interval:
    """Return a rate with its Wilson score interval (1927), which stays within 0 and 1 and is accurate near them.

    >>> wilson(0, 10).high
    0.2775327998628892
    """
    if not 0 <= n_successes <= n:
        raise ValueError(f"{n_successes} successes of {n}")
    if n == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = n_successes / n
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if n_successes == 0 else max(0.0, middle - half)
    high = 1.0 if n_successes == n else min(1.0, middle + half)
    return Interval(rate, low, high)


def mean_interval(total: float, total_of_squares: float, n: int) -> Interval:
    """Return a mean with its normal interval, from the sum and the sum of squares of n values: for differences.

    For values that cannot be negative, use `count_interval`.
    """
    if n < 2:
        return Interval(total / n if n else math.nan, math.nan, math.nan)
    mean = total / n
    variance = _variance(mean, total_of_squares, n)
    half = Z95 * math.sqrt(variance / n)
    return Interval(mean, mean - half, mean + half)


def count_interval(total: float, total_of_squares: float, n: int, most: float = math.inf) -> Interval:
    """Return a mean of n counts or scores between 0 and ``most`` with a score interval, which stays in that range.

    Wilson's interval with the number of trials that gives the observed variance: at each candidate mean m, the variance
    is proportional to m (1 - m / most), as for a binomial count, or to m, as for a Poisson count, without ``most``. For
    many values far from the ends it is nearly the normal interval; near them, where that one would reach below zero, it
    remains accurate. If every value is 0, or ``most``, no variance was observed, and every unit counts as a trial.

    >>> [round(part, 3) for part in count_interval(0, 0, 30)]
    [0.0, 0.0, 0.128]
    >>> [round(part, 3) for part in count_interval(3, 5, 40, most=10)]
    [0.075, 0.02, 0.284]
    """
    if n < 2:
        return Interval(total / n if n else math.nan, math.nan, math.nan)
    mean = total / n
    variance = _variance(mean, total_of_squares, n)
    spread = max(0.0, mean * (1 - mean / most))
    z2 = Z95**2 / n * (variance / spread if spread else 1.0)
    middle = (mean + z2 / 2) / (1 + z2 / most)
    half = math.sqrt(z2 * spread + z2 * z2 / 4) / (1 + z2 / most)
    # At the ends, rounding may put the mean outside; an interval always contains its own mean.
    low = 0.0 if mean == 0 else min(mean, max(0.0, middle - half))
    high = most if mean == most else max(mean, min(most, middle + half))
    return Interval(mean, low, high)


def _variance(mean: float, total_of_squares: float, n: int) -> float:
    return max(0.0, (total_of_squares - n * mean * mean) / (n - 1))


def difference(one: Interval, other: Interval) -> Interval:
    """Return one estimate minus another, independent one, by Zou and Donner (2008), which keeps asymmetric intervals.

    >>> difference(Interval(5.0, 2.0, 6.0), Interval(1.0, 0.0, 5.0))
    Interval(value=4.0, low=-1.0, high=5.414213562373095)
    """
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, value - below, value + above)


class Comparison(NamedTuple):
    """Two agents on the same boards."""

    n: int
    only_first: int  # number of boards that only the first won
    only_second: int
    difference: Interval  # rate of the first minus rate of the second
    p_value: float  # of McNemar's exact test, two-sided


def compare_paired(first: list[bool], second: list[bool]) -> Comparison:
    """Compare two agents board by board: McNemar's exact test (1947) and a matching interval.

    The interval excludes 0 exactly if the p-value is below 5%: both depend on how the boards split on which only one of
    the two won.

    >>> compare_paired([True] * 8 + [False] * 2, [True] * 3 + [False] * 7).p_value
    0.0625
    """
    n = len(first)
    if n != len(second) or n == 0:
        raise ValueError(f"{n} boards against {len(second)}")
    both = sum(a and b for a, b in zip(first, second, strict=True))
    only_first = sum(first) - both
    only_second = sum(second) - both
    interval = _paired_difference(only_first, only_second, n)
    return Comparison(n, only_first, only_second, interval, mcnemar(only_first, only_second))


def _paired_difference(only_first: int, only_second: int, n: int) -> Interval:
    """Return the difference of two rates on the same boards: the share of discordant boards times their imbalance.

    The imbalance has the interval of Clopper and Pearson (1934), which inverts the exact binomial test and so
    McNemar's; the share has Wilson's. They are combined as by Zou and Donner (2008); the imbalance decides the sign.
    """
    n_differ = only_first + only_second
    often = wilson(n_differ, n)
    if not n_differ:
        return Interval(0.0, -often.high, often.high)
    if only_first < only_second:
        value, low, high = _paired_difference(only_second, only_first, n)
        return Interval(-value, -high, -low)
    uneven = (only_first - only_second) / n_differ
    least, most = (2 * share - 1 for share in clopper_pearson(only_first, n_differ)[1:])
    value = often.value * uneven
    low = value - math.hypot(often.value * (uneven - least), uneven * (often.value - often.low))
    high = value + math.hypot(often.value * (most - uneven), uneven * (often.high - often.value))
    if least > 0:
        low = max(low, often.low * least)
    return Interval(value, max(-1.0, low), min(1.0, high))


def clopper_pearson(n_successes: int, n: int) -> Interval:
    """Return a rate with its exact interval: every rate that a two-sided binomial test at 5% does not reject.

    >>> [round(part, 4) for part in clopper_pearson(5, 5)]
    [1.0, 0.4782, 1.0]
    """
    if not 0 <= n_successes <= n or n == 0:
        raise ValueError(f"{n_successes} successes of {n}")
    return Interval(n_successes / n, 1 - _most_rate(n - n_successes, n), _most_rate(n_successes, n))


def _most_rate(k: int, n: int) -> float:
    """Return the rate at which at most ``k`` of ``n`` successes have a probability of 2.5%."""
    if k == n:
        return 1.0
    low, high = k / n, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        if _at_most(k, n, middle) > 0.025:
            low = middle
        else:
            high = middle
    return middle


def _at_most(k: int, n: int, rate: float) -> float:
    """Return the probability of at most ``k`` of ``n`` successes, for k below the mean.

    Sums from the largest term downwards until the rest is negligible, within a few standard deviations.
    """
    log_largest = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    log_largest += (k * math.log(rate) if k else 0.0) + (n - k) * math.log1p(-rate)
    total = term = 1.0
    for j in range(k, 0, -1):
        term *= j / (n - j + 1) * (1 - rate) / rate
        total += term
        if term < 1e-17 * total:
            break
    return total * math.exp(log_largest)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p-value for how discordant boards split between two agents.

    >>> mcnemar(0, 5)
    0.0625
    """
    n, k = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return 1.0
    if n <= 1000:
        tail = sum(math.comb(n, j) for j in range(k + 1))
        return min(1.0, float(2 * tail / 2**n))
    return min(1.0, 2 * _at_most(k, n, 0.5))
