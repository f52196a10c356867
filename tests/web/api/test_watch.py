"""Games of agents told in parts, so that one who thinks for long can be watched while it thinks."""

from __future__ import annotations

from typing import Any

import pytest
from visitor import Visitor

from sapper.agents.registry import make_agent
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.web.jobs import games
from sapper.world.game import Game

RULES = "8x8/12 first-any no-cascade survey total-hidden"


def in_parts(seconds: int, agent: str = "contradiction") -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    since = 0
    while not parts or not parts[-1]["over"]:
        parts.append(games.watch(RULES, 4, agent, since, seconds))
        since += len(parts[-1]["steps"])
    return parts


def test_parts_make_up_the_whole_game() -> None:
    whole = games.watch(RULES, 4, "contradiction")
    parts = in_parts(0)
    # No time at all is time for one step.
    assert [len(part["steps"]) for part in parts] == [1] * len(whole["steps"])  # type: ignore[arg-type]
    assert [step for part in parts for step in part["steps"]] == whole["steps"]
    assert [part["since"] for part in parts] == list(range(len(parts)))
    assert all(part["result"] is None and part["score"] is None for part in parts[:-1])
    assert {**parts[-1], "since": 0, "steps": whole["steps"]} == whole
    assert in_parts(20) == [whole]


def test_a_part_that_nobody_keeps_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = games.watch(RULES, 4, "contradiction")
    monkeypatch.setattr(games, "MAX_UNFINISHED", 0)
    parts = in_parts(0)
    assert [step for part in parts for step in part["steps"]] == whole["steps"]
    beyond = games.watch(RULES, 4, "contradiction", since=10_000, seconds=0)
    assert (beyond["steps"], beyond["over"]) == ([], True)


def test_few_games_under_way_are_kept() -> None:
    for seed in range(2 * games.MAX_UNFINISHED):
        games.watch(RULES, seed, "basic", 0, 0)
    assert len(games._unfinished) == games.MAX_UNFINISHED


@pytest.mark.slow
def test_the_server_tells_a_game_of_master_in_parts(visitor: Visitor) -> None:
    rules = "9x9/16"
    steps: list[Any] = []
    told: dict[str, Any] = {"over": False}
    while not told["over"]:
        told = visitor.post("/api/watch", rules=rules, seed=6, agent="master", since=len(steps), seconds=0)
        steps += told["steps"]
    record = play_match(Game(Rules.parse(rules), 6), make_agent("master", 6), flags=True)
    assert told["result"] == record.result
    moves = [f"{move['action']} {move['row']},{move['col']}" for step in steps for move in step["moves"]]
    assert moves == [f"{move.action} {move.row},{move.col}" for move in record.moves]
    assert "from 0 to 20" in visitor.post("/api/watch", 422, rules=rules, seconds=21)["error"]


def test_visitors_do_not_choose_what_the_server_imports(visitor: Visitor) -> None:
    for name in ("os:getcwd", "sapper.agents.believer:Believer", "antigravity:fly", "this:s"):
        assert f"no agent '{name}'" in visitor.post("/api/watch", 422, rules="4x4/3", agent=name)["error"]
        assert f"no agent '{name}'" in visitor.post("/api/lab", 422, agents=["basic", name], size="4x4")["error"]


def test_catching_up_takes_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[Any] = games.watch(RULES, 4, "contradiction")["steps"]  # type: ignore[assignment]
    monkeypatch.setattr(games, "_unfinished", [])
    monkeypatch.setattr(games, "SECONDS_TO_CATCH_UP", -1.0)
    part = games.watch(RULES, 4, "contradiction", since=3, seconds=0)
    assert (part["steps"], part["over"]) == ([], False)
    monkeypatch.setattr(games, "SECONDS_TO_CATCH_UP", 10.0)
    part = games.watch(RULES, 4, "contradiction", since=3, seconds=0)
    assert part["steps"] == whole[3:4]


def test_two_who_watch_the_same_game_do_not_send_each_other_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_unfinished", [])
    for since in range(4):
        games.watch(RULES, 4, "contradiction", since, 0)
    games.watch(RULES, 4, "contradiction", 0, 0)
    assert [one.n_steps for one in games._unfinished] == [4, 1]
    games.watch(RULES, 4, "contradiction", 4, 0)
    assert [one.n_steps for one in games._unfinished] == [1, 5]


def test_master_goes_on_where_the_book_s_first_cell_explodes() -> None:
    part = games.watch("16x30/99 first-any survey", 3, "master", 0, 0)
    assert part["layout"][0] == [0, 0]  # type: ignore[index]
    second: list[Any] = games.watch("16x30/99 first-any survey", 3, "master", 1, 0)["steps"]  # type: ignore[assignment]
    assert second[0]["position_after"].startswith("*")
