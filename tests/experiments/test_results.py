"""Experiments in one call, and what comes of them: a table, data frames, a file, a figure; the same from a store."""

from __future__ import annotations

import csv
import io
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from own_agents import importable, write_module
from pages import Page

from sapper.agents.agent import Agent
from sapper.agents.believer import Believer
from sapper.agents.registry import AGENTS
from sapper.errors import AgentFault, InputError, MissingExtra, RulesError, StoreError
from sapper.experiments.backends import InProcess
from sapper.experiments.games import Condition
from sapper.experiments.results import COLUMNS, Column, Results, summarise, write_table
from sapper.experiments.store import Store
from sapper.experiments.sweep import SweepTask, run_tasks, sweep
from sapper.rules import Rules

BOARDS = ["4x4/3 survey first-any", "4x4/6 survey first-any"]


@pytest.fixture(scope="module")
def results() -> Results:
    return sweep(["basic", "statements"], BOARDS, games=30, seed=4)


def test_one_call_plays_what_tasks_and_a_store_would(tmp_path: Path, results: Results) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        tasks = [
            SweepTask(Condition.of(Rules.parse(board), agent), 30, seed=4)
            for agent in ("basic", "statements")
            for board in BOARDS
        ]
        run_tasks(store, tasks, InProcess())
        expected = [summarise(store, task) for task in tasks]
    for row, other in zip(results.rows, expected, strict=True):
        assert (row.agent, row.rules, row.n_games) == (other.agent, other.rules, other.n_games)
        assert (row.score, row.won, row.guesses) == (other.score, other.won, other.guesses)
    assert len(results) == 4
    assert {run.seed for run in results.runs} == {4}


def test_what_is_in_a_store_is_not_played_again_and_comes_out_of_it(tmp_path: Path) -> None:
    path, told = tmp_path / "results.sqlite", list[tuple[int, int]]()
    first = sweep("basic, random", BOARDS[0], games=12, store=path, progress=lambda *done: told.append(done))
    assert told == [(0, 24), (12, 24), (24, 24)]
    told.clear()
    again = sweep("basic,random", BOARDS[0], games=12, store=str(path), progress=lambda *done: told.append(done))
    assert told == [(24, 24)]
    assert again == first
    assert Results.of_store(path) == first
    more = sweep("random", "3x3/1", games=5, seed=7, store=path)
    assert Results.of_store(str(path)).rows == (*first.rows, *more.rows)
    with pytest.raises(StoreError, match="There is no file of results"):
        Results.of_store(tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()


def test_without_a_store_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sweep("random", "3x3/1", games=2)
    assert list(tmp_path.iterdir()) == []


def test_agents_may_be_what_makes_them() -> None:
    makers: list[Callable[[np.random.Generator], Agent]] = [
        AGENTS["basic"].make,
        Believer,
        partial(Believer),
        lambda rng: Believer(rng),
        lambda rng: Believer(rng),
    ]
    before = list(AGENTS)
    found = sweep(makers, "4x4/3", games=3)
    assert [row.agent for row in found.rows] == [
        "basic", "sapper.agents.believer:Believer", "partial", "lambda", "lambda-2",
    ]  # fmt: skip
    # The same agent under four names.
    assert len({row.guesses for row in found.rows[1:]}) == 1
    assert list(AGENTS) == before
    assert [row.agent for row in sweep(Believer, "4x4/3", games=1).rows] == ["sapper.agents.believer:Believer"]


@pytest.mark.slow
def test_what_cannot_be_imported_is_played_here_beside_a_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path)
    monkeypatch.chdir(tmp_path)
    with importable(tmp_path):
        import mine  # type: ignore[import-not-found]

        played_here = os.getpid()
        seen = set[int]()

        def make(rng: np.random.Generator) -> Agent:
            seen.add(os.getpid())
            return mine.First(rng)  # type: ignore[no-any-return]

        told: list[tuple[int, int]] = []
        found = sweep(
            ["mine:make", make, mine.First], "4x4/3", games=4, workers=2, progress=lambda *done: told.append(done)
        )
        assert [row.agent for row in found.rows] == ["mine:make", "make", "mine:First"]
        assert len({row.guesses for row in found.rows}) == 1
        assert seen == {played_here}
        assert told[0] == (0, 12)
        assert told[-1] == (12, 12)
        assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"agents": []}, InputError, "at least one agent and one board"),
        ({"boards": []}, InputError, "at least one agent and one board"),
        ({"agents": ["bassic"]}, InputError, "There is no agent 'bassic'; did you mean basic"),
        ({"agents": [3]}, InputError, "An agent must be a name, a function or a class, not 3."),
        ({"agents": lambda _rng: None}, AgentFault, "lambda: What is made is None, which has no method decide."),
        ({"boards": "3x3/10"}, RulesError, "10 mines"),
        ({"boards": "300x300/9000"}, InputError, "boards of at most 40,000 cells, not 90,000"),
        ({"games": 0}, InputError, "The number of games must be a whole number of at least 1, not 0."),
        ({"workers": 1.5}, InputError, "The number of workers must be a whole number of at least 1, not 1.5."),
        ({"seed": -1}, InputError, "seed"),
        ({"agents": lambda _rng: None, "store": "r.sqlite"}, InputError, "Results of lambda cannot be stored"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(
    arguments: dict[str, object], error: type[Exception], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: dict[str, object] = {"agents": "basic", "boards": "3x3/1", "games": 2, "store": tmp_path / "r.sqlite"}
    if callable(arguments.get("agents")):
        asked.pop("store")  # which would be refused first
    before = list(AGENTS)
    with pytest.raises(error, match=says.replace("(", r"\(")):
        sweep(**(asked | arguments))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    assert list(AGENTS) == before


# -- looks ----------------------------------------------------------------------------------------------------


def test_the_repr_is_a_table(results: Results) -> None:
    header, *lines = repr(results).splitlines()
    assert header.split() == [
        "agent", "board", "mines", "channel", "games", "score", "won", "detonations", "guesses", "ms/game",
    ]  # fmt: skip
    assert [line.split()[:5] for line in lines] == [
        [agent, "4x4", mines, "exact", "30"] for agent in ("basic", "statements") for mines in ("3", "6")
    ]
    score = results.rows[0].score
    assert f" {score.value:.3f} [{score.low:.3f}, {score.high:.3f}] " in lines[0]
    assert repr(Results((), ())) == "No results."


def test_a_table_says_what_differs_and_is_as_wide_as_it_needs(tmp_path: Path) -> None:
    store = tmp_path / "r.sqlite"
    sweep(Believer, "3x3/1 survey", games=2, store=store)
    sweep(Believer, "3x3/1 torus", games=1, seed=5, store=store)
    header, survey, torus = repr(Results.of_store(store)).splitlines()
    assert header.split()[-2:] == ["rules", "boards"]
    assert survey.split()[-4:] == ["survey", "seeds", "from", "0"]
    assert torus.split()[-4:] == ["torus", "seeds", "from", "5"]
    assert survey.startswith("sapper.agents.believer:Believer ")
    # Classic games have no marks, and the mean of one game has no interval.
    assert "nan" not in torus
    assert torus.split()[5] == "-"


def test_no_column_runs_into_the_next() -> None:
    for wide in ("1", "123,456,789,012"):
        table = write_table([Column("a", 4, ["x"]), Column("b", 3, [wide], ">"), Column("c", 3, [wide], ">")])
        assert table.splitlines()[1].split() == ["x", wide, wide]


def test_a_notebook_shows_a_table_in_which_nothing_is_taken_for_html(results: Results) -> None:
    page = Page(results._repr_html_())
    assert "statements" in page.text
    assert page.text.count("4x4") == 4
    odd = sweep([lambda rng: Believer(rng)], "3x3/1", games=1)
    renamed = Results(tuple(replace(row, agent="<b>") for row in odd.rows), odd.runs)
    assert "<b>" not in renamed._repr_html_()
    assert "&lt;b&gt;" in renamed._repr_html_()


# -- for other programs ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rows_become_data_frames_and_a_file(tmp_path: Path, results: Results) -> None:
    frame, other = results.to_pandas(), results.to_polars()
    assert list(frame.columns) == list(other.columns) == list(COLUMNS)
    assert len(frame) == len(other) == 4
    for number, row in enumerate(results.rows):
        for found in (dict(frame.iloc[number]), other.row(number, named=True)):
            assert (found["agent"], found["mines"], found["n_games"]) == (row.agent, row.mines, row.n_games)
            assert (found["score"], found["score_low"], found["score_high"]) == row.score
            assert (found["won"], found["seed"], found["boards"]) == (row.won.value, 4, "seeds")
    text = results.to_csv(tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_text(encoding="utf-8") == text == results.to_csv()
    read = list(csv.DictReader(io.StringIO(text)))
    assert [float(one["score"]) for one in read] == [row.score.value for row in results.rows]


@pytest.mark.slow
def test_what_one_game_cannot_tell_is_empty_in_a_file_and_nothing_is_a_frame_too() -> None:
    one = sweep("basic", "3x3/1 survey", games=1)
    assert math.isnan(one.to_pandas()["guesses_low"][0])
    (read,) = csv.DictReader(io.StringIO(one.to_csv()))
    assert (read["guesses_low"], read["n_games"]) == ("", "1")
    nothing = Results((), ())
    assert list(nothing.to_pandas().columns) == list(nothing.to_polars().columns) == list(COLUMNS)
    assert nothing.to_csv().split(",")[0] == "agent"


def test_games_that_are_won_or_lost_have_no_score() -> None:
    classic = sweep("basic", "3x3/1", games=4)
    for end in ("score", "score_low", "score_high"):
        assert math.isnan(classic.to_pandas()[end][0])
        assert classic.to_polars()[end][0] is None
        assert [one[end] for one in csv.DictReader(io.StringIO(classic.to_csv()))] == [""]
    with pytest.raises(InputError, match="Only surveys have a score"):
        classic.plot(what="score")


@pytest.mark.parametrize(("method", "package"), [("to_pandas", "pandas"), ("to_polars", "polars")])
def test_a_package_that_is_not_installed_is_named(
    method: str, package: str, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"(?i)needs {package}: pip install 'sapper\[frames\]'"):
        getattr(results, method)()


@pytest.mark.slow
def test_a_figure_shows_the_score_of_surveys_and_the_wins_of_other_games(tmp_path: Path, results: Results) -> None:
    from matplotlib.figure import Figure

    figure = results.plot(tmp_path / "score.svg")
    assert isinstance(figure, Figure)
    assert figure.axes[0].get_ylabel() == "score"
    assert (tmp_path / "score.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert results.plot(what="time").axes[0].get_ylabel() == "CPU seconds per game"
    classic = sweep("basic", ["3x3/1", "3x3/2", "3x3/1 torus"], games=3).plot()
    assert classic.axes[0].get_ylabel() == "games won"
    assert [line.get_label() for line in classic.axes[0].get_lines()] == ["basic, usual rules", "basic, torus"]
    with pytest.raises(InputError, match="There is no figure 'pie'; choose from score, wins"):
        results.plot(what="pie")
    with pytest.raises(InputError, match=r"must be \.png or \.svg"):
        results.plot(tmp_path / "score.pdf")


@pytest.mark.slow
def test_a_script_may_use_processes_if_it_is_guarded(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from sapper.experiments.sweep import sweep\n"
        "if __name__ == '__main__':\n"
        "    print(sweep(['basic', 'random'], '4x4/3', games=20, workers=2).rows[0].n_games)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("20\n", "", 0)
