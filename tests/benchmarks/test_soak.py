"""The soak in small: it ends by itself without a complaint, and neither a lost game nor a lost move escapes it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the soak looks into /proc"),
]

ROOT = Path(__file__).parents[2]


def nothing(games: sqlite3.Connection) -> None:
    """Do no harm."""


def soak(folder: Path, harm: Callable[[sqlite3.Connection], None] = nothing) -> tuple[int, str, dict[str, Any]]:
    """Run a small soak, do something to its games on the way, and return its status, what it said and its figures."""
    data = folder / "data"
    data.mkdir()
    options = {
        "--minutes": "0.2", "--players": "12", "--thinking": "0.3", "--kill-every": "1.5", "--quiet": "2",
        "--disk": "limit", "--data": str(data),
    }  # fmt: skip
    words = [word for option in options.items() for word in option]
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.soak", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    )
    try:
        if harm is not nothing:
            games_file = data / "games.sqlite"
            wait_until(lambda: process.poll() is not None or n_over(games_file) >= 3, "some games are played")
            assert process.poll() is None, process.communicate()[0]
            with closing(sqlite3.connect(games_file, timeout=PATIENCE, isolation_level=None)) as games:
                harm(games)
        said, _ = process.communicate(timeout=PATIENCE)
    finally:
        # Its way to end early: the server ends with it.
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=PATIENCE)
    begin, end = said.find("\n{\n"), said.rfind("\n}\n")  # between the progress and the verdict
    assert 0 < begin < end, said
    return process.returncode, said, json.loads(said[begin : end + 2])


def n_over(path: Path) -> int:
    """How many games of the file are over by now; none if it is not made yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as games:
        try:
            return int(games.execute("SELECT count(*) FROM games WHERE outcome != 'playing'").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


@pytest.mark.long
def test_a_small_soak_finds_nothing_wrong(tmp_path: Path) -> None:
    status, said, found = soak(tmp_path)
    assert status == 0, said
    assert "Nothing was lost" in said
    assert found["faults"] == 0
    assert found["restarts"] >= 1
    assert found["events"]["worker killed"] >= 1
    assert found["moves_acknowledged"] >= found["moves_verified_in_the_file"] > 30
    assert found["held_after"]["processes"] <= found["held_before"]["processes"]
    assert {"move", "fuzz", "analyse", "lab", "watch"} <= set(found["answers_by_kind_and_status"])


@pytest.mark.long
def test_a_lost_game_and_a_lost_move_are_noticed(tmp_path: Path) -> None:
    def lose(games: sqlite3.Connection) -> None:
        games.execute("PRAGMA foreign_keys = ON")
        # Of games that are over: nobody looks at them again but the soak itself.
        over = games.execute("SELECT id, n_moves FROM games WHERE outcome != 'playing' AND n_moves > 0").fetchall()
        games.execute("DELETE FROM games WHERE id = ?", (over[0][0],))
        games.execute("DELETE FROM moves WHERE game = ? AND number = ?", (over[1][0], over[1][1] - 1))

    status, said, found = soak(tmp_path, lose)
    assert status == 1, said
    assert "was lost from the file" in said
    assert "are not those that were acknowledged" in said
    assert found["faults"] >= 2
