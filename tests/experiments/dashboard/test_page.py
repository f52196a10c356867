"""The page of a store: everything that is in it, how far it is, nothing from elsewhere; and no agent is loaded."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from report_pages import read_page

from sapper.experiments.dashboard.overview import Overview, look_at
from sapper.experiments.dashboard.page import draw_dashboard
from sapper.experiments.runs.backends import InProcess
from sapper.experiments.runs.games import ChunkResult, Condition, GameResult
from sapper.experiments.runs.running import Task, run_tasks
from sapper.experiments.runs.store import Store
from sapper.experiments.runs.sweep import Sweep
from sapper.rules import Rules

FINISHED = Sweep(("basic", "random"), ((4, 4),), densities=(0.1, 0.2, 0.4), n_games=10, chunk_size=5)
CLASSIC = Sweep(("basic",), ((3, 3),), mines=(1,), words="", n_games=4)
WHEN = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a sweep that is done, one that is half done, one of an agent that is gone, and two benches."""
    path = tmp_path / "kept.sqlite"
    half = replace(FINISHED, seed=100)
    with Store(path) as store:
        for sweep in (FINISHED, half, CLASSIC):
            store.add_plan("sweep", sweep.settings(), WHEN)
        store.add_plan("sweep", Sweep(("gone:make",), ((5, 5),), mines=(2,)).settings(), WHEN)
        run_tasks(store, FINISHED.tasks(), InProcess())
        run_tasks(store, [replace(task, n_games=5) for task in half.tasks()[:3]], InProcess())
        run_tasks(store, CLASSIC.tasks(), InProcess())
        benches = [Task(Condition.of(Rules.parse("beginner"), agent), 6, seed=9) for agent in ("basic", "local")]
        run_tasks(store, benches, InProcess())
    return path


def overview_of(path: Path) -> Overview:
    with Store(path, must_exist=True) as store:
        return look_at(store)


def test_the_overview_tells_sweeps_with_how_far_they_are_from_other_runs(path: Path) -> None:
    found = overview_of(path)
    assert (found.name, found.n_runs, found.n_games) == ("kept.sqlite", 12, 60 + 15 + 4 + 12)
    assert [(one.number, one.n_done, one.n_total) for one in found.planned] == [
        (4, 0, 100), (3, 4, 4), (2, 15, 60), (1, 60, 60),
    ]  # fmt: skip
    assert [one.is_finished for one in found.planned] == [False, True, False, True]
    assert [len(one.results) for one in found.planned] == [0, 1, 3, 6]
    (group,) = found.groups
    assert (group.rules, group.boards) == ("9x9/10", "seeds from 9")
    assert [row.agent for row in group.results.rows] == ["basic", "local"]


def test_of_an_agent_that_changed_the_newest_games_are_shown(path: Path) -> None:
    with Store(path) as store:
        newer = [
            replace(task, condition=replace(task.condition, version=task.condition.version + 1), n_games=2)
            for task in CLASSIC.tasks()
        ]
        for task in newer:
            store.open_run(task.condition, task.seed, task.chunk_size)
    (classic,) = [one for one in overview_of(path).planned if one.number == 3]
    assert (classic.n_done, classic.results.rows) == (0, ())


@pytest.mark.slow
def test_the_page_shows_progress_bars_and_figures_and_needs_nothing_else(path: Path) -> None:
    page = draw_dashboard(overview_of(path))
    reader = read_page(page)
    text = " ".join(" ".join(reader.text).split())
    for part in (
        "kept.sqlite: 12 runs, 91 games, 0 seconds of CPU time",
        "60 of 60 games", "15 of 60 games (25 %)", "0 of 100 games (0 %)",
        "sapper sweep --resume --plan 2", "planned 2026-01-02 03:04 UTC", "gone:make on 5x5",
        "Average score against the share of mines.", "9x9/10 seeds from 9", "Rules: the usual ones.",
    ):  # fmt: skip
        assert part in text, part
    assert "--plan 1 " not in text
    # A curve for each sweep of several densities; one density alone is none.
    assert page.count("<figure>") == 2
    assert page.count('class="bar"') == 6 + 3 + 1 + 2
    assert len(set(reader.ids)) == len(reader.ids)
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert not re.search(r"(?i)https?:|//[a-z]|@import|<script|<img|<link", page)
    assert "nan" not in text
    assert draw_dashboard(overview_of(path)) == page


@pytest.mark.slow
def test_a_bar_is_as_long_as_its_rate_and_its_whisker_as_its_interval(path: Path) -> None:
    found = overview_of(path)
    page = draw_dashboard(found)
    for row in found.groups[0].results.rows:
        won = row.won
        assert f'<i style="width:{100 * won.value:.2f}%"></i>' in page
        assert f'<b style="left:{100 * won.low:.2f}%;width:{100 * (won.high - won.low):.2f}%"></b>' in page


@pytest.mark.slow
def test_looking_writes_nothing_and_loads_no_agent(path: Path) -> None:
    before = path.read_bytes()
    draw_dashboard(overview_of(path))
    assert path.read_bytes() == before
    assert "gone" not in sys.modules


@pytest.mark.slow
def test_two_versions_of_an_agent_are_told_apart(path: Path) -> None:
    assert "version " not in draw_dashboard(overview_of(path))
    with Store(path) as store:
        # As an older Sapper left it.
        basic = Condition.of(Rules.parse("beginner"), "basic")
        older = store.open_run(replace(basic, version=basic.version - 1), seed=9)
        store.add(older, 0, ChunkResult((GameResult(1, 0, 0, 2, 9),) * 3, 0.1))
    page = draw_dashboard(overview_of(path))
    for version in (basic.version, basic.version - 1):
        assert f'basic <span class="what">version {version}</span>' in page


def test_names_in_the_store_are_not_taken_for_html(tmp_path: Path) -> None:
    with Store(tmp_path / "<i>.sqlite") as store:
        store.add_plan("sweep", Sweep(("<b>x</b>",), ((5, 5),), mines=(2,)).settings(), "<u>")
        store.add_plan("sweep", {"agents": 3}, WHEN)
        store.add_plan("dance", {}, WHEN)
        page = draw_dashboard(look_at(store))
    for tag in ("<b>x", "<i>.", "<u>"):
        assert tag not in page
    assert "2 plans of another version of Sapper: they are left out here." in page


def test_without_matplotlib_there_are_bars_and_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    page = draw_dashboard(overview_of(path))
    assert "<figure>" not in page
    assert page.count('class="bar"') == 12
    assert "There are no figures, because matplotlib is not installed" in page


def test_an_empty_store_says_so() -> None:
    page = draw_dashboard(Overview("results.sqlite", 0, 0, 0.0, (), ()))
    assert "Nothing was played yet." in page
    read_page(page)
