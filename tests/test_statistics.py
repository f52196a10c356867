"""Rates, means and comparisons against SciPy, published examples, and simulation."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sapper.statistics import (
    Interval,
    clopper_pearson,
    compare_paired,
    count_interval,
    difference,
    mcnemar,
    mean_interval,
    wilson,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@given(n=st.integers(1, 10**7), share=st.floats(0, 1))
def test_wilson_is_scipys(n: int, share: float) -> None:
    from scipy.stats import binomtest

    n_successes = round(n * share)
    expected = binomtest(n_successes, n).proportion_ci(method="wilson")
    found = wilson(n_successes, n)
    assert found == pytest.approx((n_successes / n, expected.low, expected.high), abs=1e-12)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 50).low == 0.0
    assert wilson(50, 50).high == 1.0
    assert wilson(0, 0)[1:] == (0.0, 1.0)
    assert math.isnan(wilson(0, 0).value)
    for wrong in ((-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="successes of 5"):
            wilson(*wrong)


@given(only_first=st.integers(0, 1100), only_second=st.integers(0, 1100))
@example(only_first=15, only_second=1060)  # SciPy says 0, and it is 1e-290
def test_mcnemar_is_the_binomial_test_of_whole_numbers(only_first: int, only_second: int) -> None:
    n = only_first + only_second
    n_as_uneven = 2 * sum(math.comb(n, k) for k in range(min(only_first, only_second) + 1))
    expected = min(1.0, n_as_uneven / 2**n)
    assert mcnemar(only_first, only_second) == pytest.approx(expected, rel=1e-8, abs=1e-305)
    assert mcnemar(only_first, only_second) == mcnemar(only_second, only_first)


@pytest.mark.parametrize(("only_first", "only_second"), [(500_000, 501_000), (10_000, 10_900), (10**8, 10**8)])
def test_mcnemar_with_very_many_games(only_first: int, only_second: int) -> None:
    from scipy.stats import binomtest

    expected = binomtest(only_first, only_first + only_second).pvalue
    assert mcnemar(only_first, only_second) == pytest.approx(expected, rel=1e-6)


def test_mcnemar_does_not_jump_where_the_way_of_summing_changes() -> None:
    values = [mcnemar(n // 2 - 30, n - n // 2 + 30) for n in range(990, 1012, 2)]
    assert all(later > earlier for earlier, later in pairwise(values))


def pairs(both: int, only_first: int, only_second: int, neither: int) -> tuple[list[bool], list[bool]]:
    first = [True] * (both + only_first) + [False] * (only_second + neither)
    second = [True] * both + [False] * only_first + [True] * only_second + [False] * neither
    return first, second


@given(n=st.integers(1, 3000), share=st.floats(0, 1))
def test_clopper_pearson_is_scipys(n: int, share: float) -> None:
    from scipy.stats import binomtest

    n_successes = round(n * share)
    expected = binomtest(n_successes, n).proportion_ci(method="exact")
    found = clopper_pearson(n_successes, n)
    assert found == pytest.approx((n_successes / n, expected.low, expected.high), abs=1e-10)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_clopper_pearson_needs_a_trial() -> None:
    for wrong in ((0, 0), (-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="successes of"):
            clopper_pearson(*wrong)


TABLES = st.tuples(*[st.integers(0, 60)] * 4).filter(any)


@given(table=TABLES)
def test_the_interval_leaves_zero_out_exactly_if_the_test_rejects(table: tuple[int, int, int, int]) -> None:
    found = compare_paired(*pairs(*table))
    _, low, high = found.difference
    assert (low > 0 or high < 0) == (found.p_value < 0.05)


@pytest.mark.slow
def test_no_test_contradicts_its_interval_in_small_samples() -> None:
    for only_first in range(25):
        for only_second in range(25):
            for others in (0, 1, 5, 500):
                if only_first + only_second + others:
                    found = compare_paired(*pairs(others, only_first, only_second, others))
                    assert (found.difference.low > 0 or found.difference.high < 0) == (found.p_value < 0.05)


@given(table=TABLES)
def test_the_paired_difference_is_the_same_from_the_other_side(table: tuple[int, int, int, int]) -> None:
    found = compare_paired(*pairs(*table)).difference
    assert -1.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.value == pytest.approx((table[1] - table[2]) / sum(table), abs=1e-12)
    swapped = compare_paired(*reversed(pairs(*table))).difference
    assert swapped == pytest.approx((-found.value, -found.high, -found.low), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "n"),
    [
        ((0.3, 0.1, 0.1, 0.5), 100),
        ((0.38, 0.03, 0.01, 0.58), 300),
        ((0.05, 0.02, 0.005, 0.925), 400),
        ((0.3, 0.3, 0.0, 0.4), 50),
    ],
)
def test_the_paired_interval_covers_the_truth_as_often_as_it_says(p: tuple[float, ...], n: int) -> None:
    rng = np.random.default_rng(1)
    truth = p[1] - p[2]
    n_rounds = 1000
    n_covered = 0
    for table in rng.multinomial(n, p, size=n_rounds).tolist():
        found = compare_paired(*pairs(*table)).difference
        n_covered += found.low <= truth <= found.high
    assert 0.93 < n_covered / n_rounds < 0.99


def test_players_that_never_differ_are_not_told_apart() -> None:
    found = compare_paired([True, False] * 50, [True, False] * 50)
    assert found.p_value == 1.0
    assert found.difference.value == 0.0
    assert found.difference.low < 0.0 < found.difference.high


def test_a_comparison_needs_the_same_boards() -> None:
    for first, second in (([], []), ([True], [True, False])):
        with pytest.raises(ValueError, match="boards against"):
            compare_paired(first, second)


@given(values=st.lists(st.integers(0, 1000), min_size=2, max_size=200))
def test_a_mean_and_its_interval_are_those_of_the_values(values: list[int]) -> None:
    found = mean_interval(sum(values), sum(value * value for value in values), len(values))
    half = 1.959963984540054 * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    assert found == pytest.approx((np.mean(values), np.mean(values) - half, np.mean(values) + half), abs=1e-4)


def test_means_of_few_values_admit_it() -> None:
    assert all(math.isnan(part) for part in mean_interval(0.0, 0.0, 0))
    assert mean_interval(5.0, 25.0, 1).value == 5.0
    assert math.isnan(mean_interval(5.0, 25.0, 1).low)
    assert mean_interval(6.0, 12.0, 3) == Interval(2.0, 2.0, 2.0)
    assert all(math.isnan(part) for part in count_interval(0.0, 0.0, 0))
    assert count_interval(5.0, 25.0, 1).value == 5.0
    assert math.isnan(count_interval(5.0, 25.0, 1).high)


@given(
    values=st.lists(st.integers(0, 1000), min_size=2, max_size=200),
    unit=st.sampled_from([1, 3, 1000]),
    is_open=st.booleans(),
)
def test_the_interval_of_a_mean_of_counts_stays_where_counts_are(values: list[int], unit: int, is_open: bool) -> None:
    most = math.inf if is_open else 1000 / unit
    scaled = [value / unit for value in values]
    found = count_interval(sum(scaled), sum(value * value for value in scaled), len(scaled), most)
    assert 0.0 <= found.low <= found.value <= found.high <= most
    assert found.value == pytest.approx(float(np.mean(scaled)))


@pytest.mark.parametrize("n", [2, 4, 30, 4000])
def test_counts_that_are_all_zero_or_all_at_the_most_still_leave_a_doubt(n: int) -> None:
    assert count_interval(0, 0, n)[:2] == (0.0, 0.0)
    assert count_interval(0, 0, n).high == pytest.approx(1.96**2 / n, rel=1e-3)
    # Scores that are all 0 or all 1 are successes and failures, for which the interval is Wilson's.
    assert count_interval(0, 0, n, 1.0) == pytest.approx(wilson(0, n))
    assert count_interval(n, n, n, 1.0) == pytest.approx(wilson(n, n))


def test_far_from_the_ends_the_interval_of_counts_is_the_normal_one() -> None:
    values = np.random.default_rng(4).poisson(40.0, 2000)
    sums = (int(values.sum()), int((values**2).sum()), 2000)
    assert count_interval(*sums) == pytest.approx(mean_interval(*sums), abs=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "most", "truth"),
    [
        (lambda rng, size: rng.poisson(0.05, size), math.inf, 0.05),
        (lambda rng, size: rng.negative_binomial(0.5, 1 / 3, size), math.inf, 1.0),
        (lambda rng, size: rng.binomial(10, 0.02, size) / 10, 1.0, 0.02),
        (lambda rng, size: rng.binomial(10, rng.beta(1.8, 0.2, size)) / 10, 1.0, 0.9),
    ],
    ids=["rare", "bursts", "low scores", "scattered high scores"],
)
def test_the_interval_of_counts_covers_the_truth_as_often_as_it_says(
    draw: Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]], most: float, truth: float
) -> None:
    values = draw(np.random.default_rng(6), (3000, 50))
    totals, squares = values.sum(axis=1), (values**2).sum(axis=1)
    found = [count_interval(total, square, 50, most) for total, square in zip(totals, squares, strict=True)]
    assert 0.92 < sum(one.low <= truth <= one.high for one in found) / 3000 < 0.98


@pytest.mark.slow
def test_the_interval_of_a_difference_covers_it_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)

    def draw(mean: float, n: int) -> Interval:
        values = rng.poisson(mean, n)
        return count_interval(int(values.sum()), int((values**2).sum()), n)

    found = [difference(draw(0.6, 60), draw(0.1, 40)) for _ in range(3000)]
    assert 0.93 < sum(one.low <= 0.5 <= one.high for one in found) / 3000 < 0.975


def test_the_normal_interval_of_a_mean_is_near_students() -> None:
    from scipy.stats import t

    values = np.random.default_rng(2).integers(0, 10, 500)
    found = mean_interval(int(values.sum()), int((values**2).sum()), 500)
    low, high = t.interval(0.95, 499, loc=values.mean(), scale=values.std(ddof=1) / math.sqrt(500))
    assert found[1:] == pytest.approx((low, high), abs=1e-3)
