"""What is varied in a sweep, and what its games come to."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sapper.errors import InputError, RulesError
from sapper.experiments.backends import InProcess
from sapper.experiments.games import Condition
from sapper.experiments.results import summarise, won_by_game
from sapper.experiments.store import Store
from sapper.experiments.sweep import Sweep, SweepTask, run_tasks
from sapper.rules import Rules
from sapper.statistics import count_interval, wilson

SMALL = Sweep(
    ("basic", "random"), ((4, 4), (3, 5)), mines=(2, 3), channels=("exact", "withheld:0.2"), n_games=8, seed=5
)


def test_every_combination_becomes_a_task() -> None:
    found = SMALL.tasks()
    assert len(found) == 16
    assert len({task.condition for task in found}) == 16
    assert {task.condition.agent for task in found[:8]} == {"basic"}
    assert str(found[0].condition.rules) == "4x4/2 first-any survey"
    assert found[2].condition.rules == "4x4/2 first-any survey withheld:0.2"
    assert {(task.n_games, task.seed, task.chunk_size) for task in found} == {(8, 5, 100)}
    assert {task.chunk_size for task in replace(SMALL, chunk_size=7).tasks()} == {7}


def test_densities_become_numbers_of_mines_and_equal_ones_are_played_once() -> None:
    found = Sweep(("basic",), ((4, 4),), densities=(0.0, 0.1, 0.11, 0.5, 1.0)).tasks()
    assert [Rules.parse(task.condition.rules).mines for task in found] == [0, 2, 8, 16]


def test_a_sweep_survives_the_store(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        store.add_plan("sweep", SMALL.settings(), "now")
        ((_, _, settings, _),) = store.plans()
    assert Sweep.of_settings(settings) == SMALL
    settings.pop("chunk_size")  # as an older plan has it
    assert Sweep.of_settings(settings) == SMALL


def test_what_is_no_sweep_is_refused() -> None:
    with pytest.raises(InputError, match="either densities or numbers"):
        Sweep(("basic",), ((4, 4),))
    with pytest.raises(InputError, match="either densities or numbers"):
        Sweep(("basic",), ((4, 4),), densities=(0.1,), mines=(1,))
    with pytest.raises(InputError, match=r"1,000,000 combinations; it must have from 1 to 10,000"):
        Sweep(("basic",) * 1000, ((4, 4),), mines=tuple(range(1000)))
    with pytest.raises(InputError, match="0 combinations"):
        Sweep((), ((4, 4),), mines=(1,))
    with pytest.raises(InputError, match="between 0 and 1"):
        Sweep(("basic",), ((4, 4),), densities=(1.5,)).tasks()
    with pytest.raises(RulesError, match="17 mines are more than the 16 cells"):
        Sweep(("basic",), ((4, 4),), mines=(17,)).tasks()
    with pytest.raises(InputError, match="no agent 'bassic'; did you mean basic"):
        Sweep(("bassic",), ((4, 4),), mines=(1,)).tasks()


def test_a_summary_is_what_the_games_come_to(tmp_path: Path) -> None:
    task = SweepTask(Condition.of(Rules.parse("4x4/4 survey first-any"), "statements"), 23, seed=2, chunk_size=10)
    with Store(tmp_path / "results.sqlite") as store:
        run_tasks(store, [task], InProcess())
        found = summarise(store, task)
        games = store.totals(task.run_in(store)).games.astype(float)
        won = won_by_game(store, task)
        fewer = summarise(store, replace(task, n_games=12))
    assert games.shape == (23, 6)
    assert (found.agent, found.rows, found.cols, found.mines, found.n_games) == ("statements", 4, 4, 4, 23)
    assert found.density == 0.25
    assert found.won == wilson(int(games[:, 0].sum()), 23) == wilson(sum(won), 23)
    for interval, column, most in (
        (found.score, games[:, 1] / 4, 1),
        (found.detonations, games[:, 2], 4),
        (found.guesses, games[:, 3], math.inf),
    ):
        assert interval == count_interval(column.sum(), (column**2).sum(), 23, most)
        assert interval.value == pytest.approx(column.mean())
        assert 0 <= interval.low < interval.value < interval.high <= most
        # Nearly what the normal approximation says, leaning away from the ends.
        assert interval.high - interval.low == pytest.approx(2 * 1.96 * column.std(ddof=1) / np.sqrt(23), rel=0.1)
    assert found.seconds > 0
    assert fewer.n_games == 12
    assert fewer.score.value == pytest.approx(games[:12, 1].mean() / 4)


def test_a_summary_of_one_game_or_no_mines_or_no_score_is_still_json(tmp_path: Path) -> None:
    one = SweepTask(Condition.of(Rules.parse("3x3/2 survey"), "basic"), 1)
    empty = SweepTask(Condition.of(Rules.parse("3x3/0 survey"), "basic"), 3)
    with Store(tmp_path / "results.sqlite") as store:
        run_tasks(store, [one, empty], InProcess())
        plain = json.loads(json.dumps(summarise(store, one).as_plain_values(), allow_nan=False))
        assert plain["guesses"][1:] == [None, None]
        assert summarise(store, empty).score == (1.0, 1.0, 1.0)
        classic = SweepTask(Condition.of(Rules.parse("3x3/2"), "basic"), 5)
        run_tasks(store, [classic], InProcess())
        assert summarise(store, classic).as_plain_values()["score"] == [None, None, None]
        unplayed = summarise(store, replace(one, seed=99))
        assert unplayed.n_games == 0
        json.dumps(unplayed.as_plain_values(), allow_nan=False)
