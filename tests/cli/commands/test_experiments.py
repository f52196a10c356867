"""sapper sweep at a terminal."""

from __future__ import annotations

import json
import math
import os
import re
import signal
from pathlib import Path

import pytest
from command import complaint, run, run_on_terminal
from processes import PATIENCE, are_gone, children_of, games_around, rows_of, started, wait_until

from sapper.cli import terminal
from sapper.cli.terminal import show_progress
from sapper.web.jobs.lab import list_plans

SWEEP = (
    "sweep",
    "--agents",
    "basic,statements",
    "--board",
    "4x4/2,6 survey first-any",
    "--games",
    "30",
    "--workers",
    "1",
)


@pytest.mark.slow
def test_a_sweep_is_played_once_and_listed(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "results.sqlite"))
    first = run(*SWEEP, *store)
    assert first.returncode == 0, first.stderr
    header, *table = first.stdout.splitlines()
    assert header.split() == [
        "agent", "board", "mines", "channel", "games", "score", "won", "detonations", "guesses", "ms/game",
    ]  # fmt: skip
    assert [line.split()[:5] for line in table] == [
        [agent, "4x4", mines, "exact", "30"] for agent in ("basic", "statements") for mines in ("2", "6")
    ]
    assert re.fullmatch(r"Sweep: 120 games in [\d.]+ s\.\n", first.stderr)
    again = run(*SWEEP, *store, "--json", "--output", str(tmp_path / "score.svg"))
    assert "Sweep: 0 games in" in again.stderr
    assert "120 were known already" in again.stderr
    assert (tmp_path / "score.svg").read_text().startswith("<?xml")
    rows = json.loads(again.stdout)
    assert [(row["agent"], row["mines"], row["n_games"], row["density"]) for row in rows] == [
        (agent, mines, 30, mines / 16) for agent in ("basic", "statements") for mines in (2, 6)
    ]
    assert all(row["score"][1] <= row["score"][0] <= row["score"][2] for row in rows)
    listed = run("sweep", "--list", *store)
    assert "1 plan, 4 runs." in listed.stdout
    assert list_plans(store[1])[0]["size"] == "4x4/2,6 survey first-any"  # the web app lists it too
    assert "plan 1, " in listed.stdout
    assert listed.stdout.count("30 games") == 4
    plain = json.loads(run("sweep", "--list", *store, "--json").stdout)
    listed_first = plain["runs"][0]
    assert (listed_first["agent"], listed_first["rules"]) == ("basic", "4x4/2 first-any survey")
    assert [one["games"] for one in plain["runs"]] == [30] * 4


@pytest.mark.slow
def test_on_a_single_board_agents_are_compared_game_by_game(tmp_path: Path) -> None:
    arguments = ("sweep", "--agents", "exact,basic", "--board", "6x6/8", "--games", "80", "--store", "r.sqlite")
    shown = run(*arguments, "--workers", "2", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["agent", "exact", "basic"]
    assert re.fullmatch(
        r"exact - basic: \+[\d.]+ points \[[-+][\d.]+, \+[\d.]+\], only exact won \d+, only basic \d+, p = .*",
        lines[3],
    )
    found = json.loads(run(*arguments, "--workers", "1", "--json", folder=tmp_path).stdout)
    exact, basic = found["agents"]["exact"], found["agents"]["basic"]
    assert len(exact["per_game"]) == len(basic["per_game"]) == 80
    assert exact["wins"] == exact["per_game"].count("1") > basic["wins"]
    assert found["comparisons"][0]["difference"][0] == pytest.approx((exact["wins"] - basic["wins"]) / 80)


def test_the_table_goes_into_a_file_by_its_suffix(tmp_path: Path) -> None:
    asked = (
        "sweep",
        "--agents",
        "random",
        "--board",
        "3x3/1,2",
        "--games",
        "2",
        "--workers",
        "1",
        "--store",
        "r.sqlite",
    )
    for name in ("table.csv", "table.json"):
        assert run(*asked, "--output", name, folder=tmp_path).stderr.endswith(f"Written to {name}.\n")
    assert (tmp_path / "table.csv").read_text().splitlines()[1].startswith("random,3x3/1,3,3,1,")
    assert [row["mines"] for row in json.loads((tmp_path / "table.json").read_text())] == [1, 2]
    printed = run(*asked, "--output", "-.csv", folder=tmp_path).stdout
    assert printed == (tmp_path / "table.csv").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--agents", "bassic"), "There is no agent 'bassic'; did you mean basic?"),
        (("--agents", "exact,exact"), "--agents names exact twice."),
        (("--board", "300x300/9000", "--agents", "basic"), "at most 40,000 cells, not 90,000."),
        (("--board", "9x9"), "'9x9' is not a board"),
        (("--board", "8,9/10"), "'8,9' is not a board size; write 8x8, or several as 8x8,16x16."),
        (("--board", "8x8/1.5"), "96 mines are more than the 64 cells"),
        (("--board", "8x8/1,"), "'1,' is not a list of mines; write 10,20 or 1:16:1"),
        (("--board", "8x8/0.1:0.2:-1"), "'0.1:0.2:-1' is not a list of mines"),
        (("--board", "8x8/1:2"), "'1:2' is not a list of mines"),
        (("--board", "8x8/0:1:0.000001"), "is not a list of mines"),
        (("--board", "8x8/0.1,nan"), "'0.1,nan' is not a list of mines"),
        (("--board", "8x8/0.1,0.2 telepathy"), "telepathy"),
        (("--output", "score.pdf"), "--output writes .svg, .png, .csv, .html or .json, not 'score.pdf'."),
        (("--output", "none/score.png"), "There is no folder none"),
        (("--output", "a.svg", "--figure", "pie"), "There is no figure 'pie'; choose from score,"),
        (("--output", "."), ". is a folder, not a file."),
        (("--workers", "nonsense"), "or the address of a cluster such as tcp://host:8786, not 'nonsense'."),
        (("--workers", "0"), "--workers should be a whole number from 1 to 1,024"),
        (("--workers", "nonsense://1"), "'nonsense://1' is not the address of a Dask scheduler (unknown address"),
        (("--games", "0"), "--games"),
    ],
)
def test_wrong_input_is_a_sentence_and_nothing_is_written(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    assert sentence in complaint("sweep", *arguments, "--store", "results.sqlite", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_cleanly_with_what_is_done_saved(
    tmp_path: Path, jobs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAPPER_CHUNK", "20")
    store, undisturbed = tmp_path / "results.sqlite", tmp_path / "undisturbed.sqlite"
    arguments = ("sweep", "--agents", "statements", "--board", "8x8/10 survey first-any", "--games")
    with started(*arguments, "1000000", "--store", str(store), "--workers", jobs) as process:
        wait_until(lambda: rows_of(store), "something is committed")
        workers = children_of(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        stdout, stderr = process.communicate(timeout=PATIENCE)
        wait_until(lambda: are_gone(workers), "the processes end")
    assert process.returncode == 130
    assert stdout == ""
    *progress_lines, last = stderr.splitlines()
    assert last == "Stopped; what is done is kept, and the same command continues from there."
    assert [line for line in progress_lines if not line.startswith("Sweep: ")] == []  # on a slow machine there are some
    kept = rows_of(store)
    n_games = games_around(kept)
    for path, n_known in ((store, 20 * len(kept)), (undisturbed, 0)):
        done = run(*arguments, str(n_games), "--store", str(path), "--workers", "1")
        assert f"Sweep: {n_games - n_known:,} games" in done.stderr
    assert rows_of(store) == rows_of(undisturbed)
    assert set(kept) <= set(rows_of(undisturbed))


# -- progress -------------------------------------------------------------------------------------------------


def test_progress_is_a_line_every_few_seconds_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with show_progress("Sweep") as watch:
        watch(1000, 3000)
        for done, between in ((1100, math.inf), (1500, 0.0), (1600, math.inf)):  # only once it is time for a line
            monkeypatch.setattr(terminal, "SECONDS_BETWEEN_LINES", between)
            watch(done, 3000)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert re.fullmatch(r"Sweep: 1,500 of 3,000 games, [\d,]+ games/s, \d+ s left", lines[0])


@pytest.mark.slow
def test_progress_is_a_bar_with_rate_and_time_left_on_a_terminal(tmp_path: Path) -> None:
    done, text = run_on_terminal(*SWEEP, "--games", "400", "--store", str(tmp_path / "r.sqlite"))
    assert done.returncode == 0
    assert "1600/1600" in text
    assert re.search(r"[\d,]+ games/s", text)
    assert re.search(r"\d:\d\d:\d\d", text)
