"""Tournaments: the scale gives back the strengths that made the results, and pairs agree with the paired comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command import complaint, run

from sapper.experiments.grading.tournament import gap_of, hold_tournament, rate
from sapper.statistics import compare_paired


def test_the_scale_gives_back_the_odds() -> None:
    strength = np.array([10.0, 1.0, 0.1])
    wins = 1e6 * strength[:, None] / (strength[:, None] + strength[None, :])
    np.fill_diagonal(wins, 0.0)
    assert rate(wins) == pytest.approx([400.0, 0.0, -400.0], abs=0.01)


@pytest.mark.slow
def test_equal_agents_have_equal_ratings_and_intervals_around_them() -> None:
    rng = np.random.default_rng(1)
    games = {name: [rng.integers(0, 2, 400).tolist()] for name in "abc"}
    held = hold_tournament(games)
    assert sum(one.rating.value for one in held.standings) == pytest.approx(0, abs=1e-6)
    assert all(one.rating.low <= one.rating.value <= one.rating.high for one in held.standings)
    assert all(one.rating.low < 0 < one.rating.high for one in held.standings)
    first = compare_paired([bool(one) for one in games["a"][0]], [bool(one) for one in games["b"][0]])
    assert gap_of(held, "a", "b") == pytest.approx(first.difference)
    assert gap_of(held, "b", "a").value == pytest.approx(-first.difference.value)


@pytest.mark.slow
def test_scores_of_surveys_are_compared_board_by_board() -> None:
    held = hold_tournament({"a": [[0.9, 0.8, 0.7]], "b": [[0.5, 0.4, 0.7]], "c": [[0.1, 0.1, 0.1]]})
    assert [one.agent for one in held.standings] == ["a", "b", "c"]
    assert gap_of(held, "a", "b").value == pytest.approx(0.8 / 3)


@pytest.mark.slow
def test_the_command_ranks_three_agents_and_writes_the_page(tmp_path: Path) -> None:
    base = ("sweep", "--agents", "random,exact,basic", "--games", "20", "--store", "s.sqlite", "--workers", "1")
    done = run(*base, "--board", "4x4/2,4", "--output", "t.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    ranking = done.stdout.split("\n\n")[1].splitlines()
    assert [line.split()[1] for line in ranking[1:]] == ["exact", "basic", "random"]
    page = (tmp_path / "t.html").read_text("utf-8")
    assert "3 agents on 40 boards" in page
    few = ("sweep", "--agents", "random,exact", *base[3:], "--board", "4x4/2", "--output", "t.html")
    assert complaint(*few, folder=tmp_path).startswith("The page ranks agents, so it needs at least 3.")
