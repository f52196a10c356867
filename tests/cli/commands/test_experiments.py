"""sapper sweep, bench and runs, as somebody at a terminal meets them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import SAPPER, complaint, run
from processes import PATIENCE, are_gone, children_of, rows_of, started, wait_until

from sapper.cli import main, terminal
from sapper.cli.terminal import show_progress

SWEEP = ("sweep", "--agents", "basic,statements", "--size", "4x4", "--mines", "2,6", "--games", "30", "--jobs", "1")


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
    again = run(*SWEEP, *store, "--json", "--plot", str(tmp_path / "score.svg"))
    assert "Sweep: 0 games in" in again.stderr
    assert "120 were known already" in again.stderr
    assert (tmp_path / "score.svg").read_text().startswith("<?xml")
    rows = json.loads(again.stdout)
    assert [(row["agent"], row["mines"], row["n_games"], row["density"]) for row in rows] == [
        (agent, mines, 30, mines / 16) for agent in ("basic", "statements") for mines in (2, 6)
    ]
    assert all(row["score"][1] <= row["score"][0] <= row["score"][2] for row in rows)
    listed = run("runs", *store)
    assert "1 plan, 4 runs." in listed.stdout
    assert "plan 1, " in listed.stdout
    assert listed.stdout.count("30 games") == 4
    plain = json.loads(run("runs", *store, "--json").stdout)
    listed_first = plain["runs"][0]
    assert (listed_first["agent"], listed_first["rules"]) == ("basic", "4x4/2 first-any survey")
    assert [one["games"] for one in plain["runs"]] == [30] * 4
    resumed = run("sweep", "--resume", "--plan", "1", *store, "--json")
    assert json.loads(resumed.stdout) == rows


@pytest.mark.slow
def test_resume_takes_the_last_sweep_or_the_one_that_is_named(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "results.sqlite"), "--jobs", "1", "--json")
    run("sweep", "--agents", "basic", "--size", "3x3", "--mines", "1", "--games", "5", *store)
    run("sweep", "--agents", "random", "--size", "3x3", "--mines", "2", "--games", "6", "--chunk", "4", *store)
    last = json.loads(run("sweep", "--resume", *store).stdout)
    assert [(row["agent"], row["n_games"]) for row in last] == [("random", 6)]
    first = json.loads(run("sweep", "--resume", "--plan", "1", *store).stdout)
    assert [(row["agent"], row["n_games"]) for row in first] == [("basic", 5)]
    assert {row[6] for row in rows_of(tmp_path / "results.sqlite")} == {100, 4}
    assert "There is no sweep 7 in" in complaint("sweep", "--resume", "--plan", "7", *store[:-1])
    run(
        "bench",
        "--agents",
        "random",
        "--board",
        "3x3/1",
        "--games",
        "2",
        "--jobs",
        "1",
        "--store",
        "b.sqlite",
        folder=tmp_path,
    )
    assert "There is no sweep in" in complaint("sweep", "--resume", "--store", "b.sqlite", folder=tmp_path)


@pytest.mark.slow
def test_bench_compares_agents_board_by_board(tmp_path: Path) -> None:
    arguments = ("bench", "--agents", "exact,basic", "--board", "6x6/8", "--games", "80", "--store", "r.sqlite")
    shown = run(*arguments, "--jobs", "2", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "6x6/8, 80 games, seeds from 0"
    assert re.fullmatch(
        r"  exact +[\d.]+% won \[[\d.]+%, [\d.]+%\] +[\d,.]+ games/CPU-s  [\d.]+ guesses", lines[1]
    )  # fmt: skip
    assert re.fullmatch(
        r"  exact - basic: \+[\d.]+ points \[[-+][\d.]+, \+[\d.]+\], only exact won \d+, only basic \d+, p = .*",
        lines[3],
    )
    found = json.loads(run(*arguments, "--jobs", "1", "--json", folder=tmp_path).stdout)
    exact, basic = found["agents"]["exact"], found["agents"]["basic"]
    assert len(exact["per_game"]) == len(basic["per_game"]) == 80
    assert exact["wins"] == exact["per_game"].count("1") > basic["wins"]
    assert found["comparisons"][0]["difference"][0] == pytest.approx((exact["wins"] - basic["wins"]) / 80)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("sweep", "--agents", "bassic"), "There is no agent 'bassic'; did you mean basic?"),
        (("sweep", "--size", "300x300", "--agents", "basic"), "at most 40,000 cells, not 90,000."),
        (("bench", "--board", "300x300/9000", "--agents", "basic"), "at most 40,000 cells, not 90,000."),
        (("sweep", "--size", "8"), "--size '8' should look like 8x8."),
        (("sweep", "--mines", "1.5"), "--mines '1.5' should be whole numbers."),
        (("sweep", "--mines", "1-"), "--mines '1-' should look like 1,5,10 or like 1:16:1."),
        (("sweep", "--densities", "a"), "--densities 'a' should look like 0.1,0.2 or like 0.1:0.5:0.1."),
        (("sweep", "--densities", "0.1:0.2:-1"), "--densities '0.1:0.2:-1' should look like"),
        (("sweep", "--densities", "0:1:0.000001"), "--densities takes up to 1000 plain numbers."),
        (("sweep", "--densities", "nan"), "--densities takes up to 1000 plain numbers."),
        (("sweep", "--densities", "2"), "Densities must be between 0 and 1."),
        (("sweep", "--mines", "1", "--densities", "0.1"), "either densities or numbers of mines"),
        (("sweep", "--channels", "telepathy"), "telepathy"),
        (("sweep", "--plot", "score.pdf"), "A figure must be .png or .svg"),
        (("sweep", "--plot", "none/score.png"), "There is no folder none"),
        (("sweep", "--plot", "a.svg", "--figure", "pie"), "There is no figure 'pie'; choose from score,"),
        (("sweep", "--plot", "."), ". is a folder, not a file."),
        (("sweep", "--cluster", "nonsense"), "'nonsense' is not the address of a Dask scheduler (missing port number"),
        (
            ("bench", "--cluster", "nonsense://1"),
            "'nonsense://1' is not the address of a Dask scheduler (unknown address",
        ),
        (("bench", "--patience", "-1"), "--patience"),
        (("sweep", "--plan", "3"), "--plan needs --resume."),
        (("sweep", "--chunk", "0"), "--chunk"),
        (("bench", "--agents", "exact,exact"), "The agent exact is named twice."),
        (("bench", "--board", "9x9"), "'9x9' is not a board"),
        (("bench", "--games", "0"), "--games"),
        (("bench", "--start", "anywhere"), "There is no start rule 'anywhere'; choose safe or opening."),
    ],
)
def test_wrong_input_is_a_sentence_and_nothing_is_written(
    arguments: tuple[str, ...],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--store", "results.sqlite"])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("sapper: ")
    assert printed.err.count("\n") == 1
    assert sentence in printed.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_cleanly_with_what_is_done_saved(tmp_path: Path, jobs: str) -> None:
    store, undisturbed = tmp_path / "results.sqlite", tmp_path / "undisturbed.sqlite"
    arguments = ("sweep", "--agents", "statements", "--mines", "10", "--games", "600", "--chunk", "20")
    with started(*arguments, "--store", str(store), "--jobs", jobs) as process:
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
    assert 0 < len(kept) < 30
    assert run("sweep", "--resume", "--store", str(store)).returncode == 0
    assert run(*arguments, "--store", str(undisturbed), "--jobs", "1").returncode == 0
    assert rows_of(store) == rows_of(undisturbed)
    assert set(kept) <= set(rows_of(undisturbed))


# -- progress -------------------------------------------------------------------------------------------------


def test_progress_is_a_line_every_few_seconds_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "SECONDS_BETWEEN_LINES", 0.05)
    with show_progress("Sweep") as watch:
        watch(1000, 3000)
        watch(1100, 3000)  # too soon for a line
        time.sleep(0.1)
        watch(1500, 3000)
        watch(1600, 3000)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert re.fullmatch(r"Sweep: 1,500 of 3,000 games, [\d,]+ games/s, \d+ s left", lines[0])


@pytest.mark.slow
def test_progress_is_a_bar_with_rate_and_time_left_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="needs a Unix terminal")
    parent, child = pty.openpty()
    arguments = [*SWEEP, "--games", "400", "--chunk", "50", "--store", str(tmp_path / "r.sqlite")]
    process = subprocess.Popen(
        [SAPPER, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=child,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(child)
    shown = b""
    try:
        while part := os.read(parent, 10_000):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(parent)
    assert process.wait(60) == 0
    text = shown.decode()
    assert "1600/1600" in text
    assert re.search(r"[\d,]+ games/s", text)
    assert re.search(r"\d:\d\d:\d\d", text)
