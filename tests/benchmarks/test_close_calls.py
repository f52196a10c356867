"""What close calls could be worth: nothing where cells are alike, and what was put in where they differ."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.close_calls import Call, close_calls, estimate

from sapper.rules import Rules


def made_up(n_calls: int, by_score: float, unknown: float) -> list[Call]:
    """Close calls of three cells that differ by so much, in points, as the score knows and as it does not."""
    rng = np.random.default_rng(0)
    calls = []
    for _ in range(n_calls):
        scores = np.sort(rng.normal(0.9, 0.01, 3))[::-1]
        truth = 0.5 + by_score * (scores - scores.mean()) + rng.normal(0.0, unknown / 100, 3)
        luck = rng.normal(0.0, 0.1, 6) + rng.normal(0.0, 0.05, (3, 6))
        calls.append(Call(0.5, scores, truth[:, np.newaxis] + luck))
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("unknown", [0.0, 1.0, 3.0])
def test_what_the_score_does_not_know_is_found_again(unknown: float) -> None:
    found = estimate(made_up(4000, 0.5, unknown))
    assert found["unknown"] == pytest.approx(unknown, abs=0.3)
    assert found["spread"] >= found["unknown"]
    # The best of three normal numbers is 0.85 standard deviations above their mean.
    assert found["ceiling"] <= 0.85 * unknown + 0.2


@pytest.mark.slow
def test_real_games_have_close_calls_with_the_chosen_cell_first() -> None:
    rules = Rules.parse("9x9/16 first-opening")
    calls = list(close_calls(rules, (3, 3), range(30), 3, expertly=True))
    assert calls
    for call in calls:
        assert 2 <= len(call.scores) == len(call.values) <= 4
        assert call.values.shape[1] == 3
        assert (call.values >= 0.0).all()
        assert (call.values <= 1.0).all()
        assert 0.0 < call.share_open < 1.0
