"""Weights beyond the range of a float: what is certain and how likely the rest is never depend on it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.reference import posterior
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.observation import HIDDEN, NO_CLUE, Observation
from sapper.topology import topology

pytestmark = pytest.mark.oracle


def check(observation: Observation, density: float = 0.5) -> Posterior:
    found = mine_probabilities(observation, density=density)
    expected = posterior(observation, Fraction(density))
    assert expected is not None
    for cell, chance in expected.p_mine.items():
        assert found.verdicts.flat[cell] == (SAFE if chance == 0 else MINE if chance == 1 else UNKNOWN)
        assert found.p_mine.flat[cell] == pytest.approx(float(chance), rel=1e-9, abs=1e-290)
    weight = Fraction(expected.weight)
    assert found.log_weight == pytest.approx(math.log(weight.numerator) - math.log(weight.denominator), rel=1e-12)
    return found


def wire(sizes: list[int], total: int | None = None, n_hidden: int = 0) -> Observation:
    """A row of boxes with a 1 between any two: a mine in every second one, and nothing else decides in which."""
    cells = np.full((4, 2 * len(sizes) - 1), NO_CLUE, dtype=np.int8)
    cells[1, 1::2] = 1
    for box, size in enumerate(sizes):
        cells[:size, 2 * box] = HIDDEN
    cells[3, :n_hidden] = HIDDEN
    return Observation(topology("square", *cells.shape), cells, total)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_cols", "density"),
    [(388, 0.003), (388, 0.0032), *((389, density) for density in (1e-60, 1e-12, 0.003, 0.0032, 0.5, 1.0 - 1e-12))],
)
def test_a_long_row_is_exact_at_any_density(n_cols: int, density: float) -> None:
    check(Observation.parse("#" * n_cols + "/" + "1" * n_cols), density)


@pytest.mark.slow
@pytest.mark.parametrize("total", [None, 1000])
def test_one_way_may_weigh_more_than_floats_can_tell(total: int | None) -> None:
    # The heavier way has 3^1000 times the weight of the other, which is possible all the same.
    found = check(wire([1, 3] * 1000, total))
    assert found.p_mine[0, 0] == 1e-300
    layouts = found.sample(3, np.random.default_rng(1))
    assert layouts[:, :, 2::4].any(axis=1).all()


@pytest.mark.slow
@pytest.mark.parametrize(("total", "n_hidden"), [(None, 0), (1000, 0), (1300, 1500)])
def test_what_was_too_light_half_way_counts_in_the_end(total: int | None, n_hidden: int) -> None:
    found = check(wire([1, 3] * 500 + [3, 1] * 500, total, n_hidden))
    assert found.p_mine[0, 0] == pytest.approx(0.5)
    if total is not None:
        assert (found.sample(3, np.random.default_rng(1)).sum(axis=(1, 2)) == total).all()


def test_clues_that_may_be_wrong_multiply_beyond_floats() -> None:
    cells = "/".join(("#" * 40, "12" * 20))
    check(Observation.parse(f"{cells} 15 cautious:0.000001"))


def test_numbers_of_mines_with_gaps_are_told_apart() -> None:
    # Each piece holds one mine, in the middle, or three. All together hold an even number, so an odd total leaves one
    # for the cell that no clue touches.
    n_pieces = 120
    rows = ("#1.1#.", "..#...", "..1...", "..#...")
    text = "/".join(row * n_pieces + last for row, last in zip(rows, "...#", strict=True))
    found = check(Observation.parse(f"{text} {n_pieces + 81} withheld:0.5"))
    assert found.mines == ((3, 6 * n_pieces),)
    assert found.safe == ()
    assert check(Observation.parse(f"{text} {n_pieces + 80} withheld:0.5")).safe == found.mines
