"""Agents of one's own on the command line: in this process, in a pool, on a cluster, on the page, and when wrong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from command import call, complaint, run_process
from own_agents import importable, write_module, write_package
from processes import PATIENCE, DaskCluster

BENCH = ("sweep", "--board", "5x5/4", "--games", "40", "--store", "r.sqlite")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    write_module(tmp_path)
    monkeypatch.chdir(tmp_path)
    with importable(tmp_path):
        yield tmp_path


def names_in(store: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(store)) as opened:
        return opened.execute(
            "SELECT agent, sum(n_games) FROM runs JOIN chunks ON run = id GROUP BY id ORDER BY id"
        ).fetchall()


@pytest.mark.slow
def test_a_bench_plays_an_own_agent_in_processes_and_keeps_it_under_its_full_name(tmp_path: Path) -> None:
    write_module(tmp_path)
    alone = run_process(*BENCH, "--agents", "mine:make,basic", "--workers", "1", "--json", folder=tmp_path)
    assert alone.returncode == 0, alone.stderr
    found = json.loads(alone.stdout)["agents"]
    assert list(found) == ["mine:make", "basic"]
    assert found["mine:make"]["wins"] < found["basic"]["wins"]
    assert names_in(tmp_path / "r.sqlite") == [("mine:make", 40), ("basic", 40)]
    pool = run_process(
        *BENCH[:-1], "pool.sqlite", "--agents", "mine:make,basic", "--workers", "2", "--json", folder=tmp_path
    )
    assert pool.returncode == 0, pool.stderr
    assert [one["per_game"] for one in json.loads(pool.stdout)["agents"].values()] == [
        one["per_game"] for one in found.values()
    ]
    # Played once, and again only when it is another agent.
    again = run_process(*BENCH, "--agents", "mine:make", "--workers", "1", folder=tmp_path)
    assert "40 were known already" in again.stderr
    write_module(tmp_path, more="\n# thought better of it\n")
    changed = run_process(*BENCH, "--agents", "mine:make", "--workers", "1", folder=tmp_path)
    assert "Sweep: 40 games in" in changed.stderr
    assert "known already" not in changed.stderr
    assert names_in(tmp_path / "r.sqlite")[-1] == ("mine:make", 40)


def test_a_sweep_of_an_own_agent_is_resumed(folder: Path) -> None:
    asked = ("sweep", "--agents", "mine:First", "--board", "4x4/3 survey first-any", "--games", "6", "--workers", "1")
    assert call(*asked, "--store", "r.sqlite")[0] == 0
    status, out, err = call(*asked, "--store", "r.sqlite", "--json")
    assert status == 0
    assert "6 were known already" in err
    assert [*json.loads(out)["agents"]] == ["mine:First"]
    (folder / "mine.py").unlink()
    done = run_process(*asked, "--store", "r.sqlite", folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no module 'mine'" in done.stderr


@pytest.mark.parametrize("command", ["sweep", "play", "trace"])
@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("SaysNothing", "mine:SaysNothing: The agent's answer is None; decide should return a Decision."),
        ("SaysACell", "mine:SaysACell: The agent's answer is of the type tuple; decide should return a Decision."),
        ("CannotBeMade", "mine:CannotBeMade: Making the agent raised LookupError: no weights here (mine.py, line "),
        ("nobody", "The module 'mine' has no 'nobody'."),
    ],
)
def test_an_agent_that_is_wrong_from_the_start_is_refused_before_anything_is_written(
    command: str, agent: str, says: str, folder: Path
) -> None:
    before = sorted(path.name for path in folder.iterdir() if path.suffix)
    options = {"sweep": ("--store", "r.sqlite", "--agents"), "play": ("--watch", "--agent"), "trace": ("--agent",)}
    status, out, err = call(command, *options[command], f"mine:{agent}")
    assert status == 2
    assert out == "" or command == "trace"
    assert err.startswith(f"sapper: {says}")
    assert err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir() if path.suffix) == before


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("Raises", "mine:Raises: The agent raised ZeroDivisionError: division by zero (mine.py, line "),
        ("OpensOpen", "mine:OpensOpen: The agent wants to open "),
        ("GivesUp", "mine:GivesUp: The agent sees nothing to open although the game goes on: It is hopeless."),
    ],
)
@pytest.mark.usefixtures("folder")
def test_one_that_goes_wrong_later_ends_the_run_with_a_sentence_and_the_game(jobs: str, agent: str, says: str) -> None:
    asked = ("sweep", "--agents", f"mine:{agent}", "--board", "5x5/9 survey first-any", "--games", "5")
    status, out, err = call(*asked, "--workers", jobs, "--store", "r.sqlite")
    assert (status, out) == (2, "")
    assert err.startswith(f"sapper: {says}")
    assert err.endswith(" (rules 5x5/9 first-any survey, seed 0)\n")


@pytest.mark.slow
def test_own_agents_are_told_about_checked_and_traced(folder: Path) -> None:
    status, out, _ = call("agents", "mine:make")
    assert (status, out.split()) == (
        0,
        ["mine:make", "Make", "the", "agent", "that", "opens", "the", "first", "hidden", "cell."],
    )
    assert call("agents", "mine:make", "--check") == (
        0, "mine:make: nothing wrong in 54 games of 18 kinds.\n", "",
    )  # fmt: skip
    status, _, err = call("agents", "mine:Raises", "--check")
    assert status == 2
    assert "mine:Raises: The agent raised ZeroDivisionError" in err
    assert call("agents", "--check")[2] == "sapper: --check needs the name of one agent.\n"
    status, out, _ = call("trace", "--agent", "mine:make", "--board", "2x2/1")
    assert status == 0
    assert "Opened the first cell: why not." in out
    (folder / "packages").mkdir()
    write_package(folder / "packages")
    with importable(folder / "packages"):
        assert "first" in json.loads(call("agents", "--json")[1])
        asked = ("--agents", "first", "--board", "3x3/1", "--games", "2", "--workers", "1")
        assert call("sweep", *asked, "--store", str(folder / "r.sqlite"))[0] == 0


@pytest.mark.slow
def test_a_cluster_plays_own_agents_where_its_workers_have_them(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    write_module(tmp_path / "here")
    cluster = DaskCluster(tmp_path / "there", n_workers=1)
    asked = (*BENCH, "--agents", "mine:make", "--workers", cluster.address)
    try:
        lacking = complaint(*asked, folder=tmp_path / "here")
        assert lacking.startswith("A worker of the cluster cannot play: There is no module 'mine' to import")
        write_module(tmp_path / "there", more="\n# an older one\n")
        older = complaint(*asked, folder=tmp_path / "here")
        assert older == (
            "A worker of the cluster cannot play: The agent mine:make is not the one requested: its file or "
            "its version differs."
        )
        cluster.workers[0].kill()
        cluster.workers[0].wait(PATIENCE)
        write_module(tmp_path / "there")
        cluster.add_worker()
        played = run_process(*asked, folder=tmp_path / "here")
        assert played.returncode == 0, played.stderr
    finally:
        cluster.stop()
    assert names_in(tmp_path / "here" / "r.sqlite") == [("mine:make", 40)]
