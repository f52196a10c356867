"""The commands that open the page."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from command import complaint, first_in_path
from own_agents import write_module
from processes import started, wait_until
from visitor import Visitor

pytestmark = pytest.mark.slow


def test_play_prints_the_address_and_answers(tmp_path: Path) -> None:
    with started("play", "--no-browser", "--port", "0", "--data", str(tmp_path)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Sapper is at http://127.0.0.1:")
        assert "/#/play" in line
        port = int(line.split(":")[2].split("/")[0])
        assert Visitor(port).begin("beginner")["moves"] == 0


def test_play_takes_another_port_if_the_usual_one_is_taken(tmp_path: Path) -> None:
    with started("play", "--no-browser", "--data", str(tmp_path)) as one:
        assert one.stdout is not None
        first = one.stdout.readline()
        with started("play", "--no-browser", "--data", str(tmp_path)) as other:
            assert other.stdout is not None
            second = other.stdout.readline()
    assert "http://127.0.0.1:" in first
    assert "http://127.0.0.1:" in second
    assert first != second


def test_watch_opens_the_game_of_report_002(tmp_path: Path) -> None:
    with started("play", "--watch", "--no-browser", "--port", "0", "--data", str(tmp_path)) as process:
        assert process.stdout is not None
        assert "/#/watch?rules=16x16/40%20first-any%20no-cascade%20survey%20total-hidden " in process.stdout.readline()


def test_watch_lists_an_agent_of_your_own_and_the_page_lets_it_play(tmp_path: Path) -> None:
    write_module(tmp_path)
    arguments = ("play", "--watch", "8x8/10 survey", "--agent", "mine:make", "--no-browser", "--port", "0")
    with started(*arguments, "--data", str(tmp_path), PYTHONPATH=first_in_path(tmp_path)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "rules=8x8/10%20survey&agent=mine:make " in line
        visitor = Visitor(int(line.split(":")[2].split("/")[0]))
        about = {one["name"]: one["about"] for one in visitor.get("/api/info")["agents"]}
        assert about["mine:make"] == "Make the agent that opens the first hidden cell."
        told = visitor.post("/api/watch", rules="4x4/3 survey", seed=1, agent="mine:make")
        assert told["outcome"] == "finished"
        plan = visitor.post("/api/lab", 202, agents=["mine:make"], size="4x4", densities=[0.2], games=3)["id"]
        wait_until(lambda: visitor.get(f"/api/lab/{plan}")["finished"], "the lab plays it too", pause=0.5)
        # What nobody listed is not imported, although it lies in the same file.
        assert "no agent 'mine:First'" in visitor.post("/api/watch", 422, rules="4x4/3", agent="mine:First")["error"]


def test_a_busy_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for command in ("play", "serve"):
            said = complaint(command, "--port", str(port), "--data", str(tmp_path))
            assert f"Port {port} of 127.0.0.1 cannot be used" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--host", "no.such.host.invalid"], "no address"),
        (["serve", "--port", "70000"], "--port"),
        (["play", "--watch", "16x16/400"], "400 mines"),
        (["play", "--agent", "exact"], "--agent needs --watch."),
        (["serve", "--name", "http://games.example.org"], "not the name of a computer"),
        (["serve", "--prefix", "/a b"], "not a path"),
        (["play", "--no-browser", "--port", "0", "--data", __file__], "is a file, not a folder."),
        (["serve", "--port", "0", "--data", __file__], "is a file, not a folder."),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments: list[str], says: str) -> None:
    assert says.lower() in complaint(*arguments).lower()


@pytest.mark.parametrize("listed", ["proxy.example.org", "127.0.0.1,10.0.0.1/8", "*", "127.0.0.1,"])
def test_what_is_not_a_proxy_is_refused(listed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", listed)
    assert "not the address of a proxy" in complaint("serve")
