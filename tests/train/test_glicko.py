"""Ratings: Glickman's worked example, and what must hold for any results."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.train.glicko import PUZZLE_DEVIATION, RatedResult, Rating, expected_score, rate, rest

ratings = st.builds(Rating, st.floats(0, 3000), st.floats(50, 350), st.floats(0.01, 0.2))
results = st.builds(RatedResult, st.floats(0, 4000), st.floats(30, 350), st.floats(0, 1))


def test_the_example_of_the_paper() -> None:
    games = [RatedResult(1400, 30, 1), RatedResult(1550, 100, 0), RatedResult(1700, 300, 0)]
    new = rate(Rating(1500, 200, 0.06), games)
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)
    # Right after the last ones, the rating is as sure as it was then.
    assert rate(Rating(1500, 200, 0.06), games, 0.0).deviation < rate(Rating(1500, 200, 0.06), games, 0.5).deviation
    assert rate(Rating(1500, 200, 0.06), games, 0.5).deviation < new.deviation


def test_results_that_nobody_expected_make_a_rating_more_volatile() -> None:
    own = Rating(1500, 60, 0.06)
    lost_to_beginners, even = [RatedResult(800, 30, 0)] * 20, [RatedResult(1500, 30, score) for score in (0, 1)] * 10
    assert rate(own, lost_to_beginners).volatility > 0.065
    assert rate(own, even).volatility < 0.06
    assert [Rating(1500, deviation).is_provisional for deviation in (60, 350)] == [False, True]


def test_without_play_only_the_deviation_grows() -> None:
    # Step 6 of the paper: phi* is the root of phi squared and sigma squared.
    new = rate(Rating(1500, 200, 0.06), [])
    assert (new.rating, new.volatility) == (1500, 0.06)
    assert new.deviation == pytest.approx(173.7178 * math.sqrt((200 / 173.7178) ** 2 + 0.06**2))
    assert new == rest(Rating(1500, 200, 0.06), 1)


def test_a_win_of_ten_to_one_is_four_hundred_points() -> None:
    assert expected_score(1400, 1000, deviation=0) == pytest.approx(10 / 11, abs=1e-4)
    assert expected_score(1000, 1000) == 0.5


@given(ratings, st.lists(results, max_size=5), st.floats(0, 1000))
def test_ratings_stay_finite_and_deviations_within_bounds(
    own: Rating, played: list[RatedResult], periods: float
) -> None:
    new = rate(own, played, periods)
    assert math.isfinite(new.rating)
    assert 50 <= new.deviation <= 350
    assert 0 < new.volatility < 1


@given(ratings, results, st.floats(0, 1), st.floats(0, 1000))
def test_a_better_score_never_means_a_lower_rating(
    own: Rating, played: RatedResult, other: float, periods: float
) -> None:
    worse, better = (
        rate(own, [played._replace(score=score)], periods).rating for score in sorted((played.score, other))
    )
    assert worse <= better + 1e-6


@given(ratings, results, st.floats(0, 1000))
def test_a_rating_moves_towards_what_happened(own: Rating, played: RatedResult, periods: float) -> None:
    moved = rate(own, [played], periods).rating - own.rating
    surprise = played.score - expected_score(own.rating, played.rating, played.deviation)
    assert moved * surprise >= -1e-9


@given(ratings, st.floats(0, 500), st.floats(0, 500))
def test_a_longer_rest_is_never_surer(own: Rating, one: float, other: float) -> None:
    shorter, longer = sorted((one, other))
    assert rest(own, shorter).deviation <= rest(own, longer).deviation


@pytest.mark.parametrize("strength", [700, 1300, 1900])
def test_a_rating_converges_to_the_true_strength(strength: float) -> None:
    # Scores are what is to be expected of that strength, against puzzles near the rating.
    own = Rating()
    for _ in range(150):
        difficulty = round(own.rating)
        score = expected_score(strength, difficulty)
        own = rate(own, [RatedResult(difficulty, PUZZLE_DEVIATION, score)], 0)
    assert own.rating == pytest.approx(strength, abs=25)
