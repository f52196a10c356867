"""Sweeps in the background."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from in_process import visiting
from processes import wait_until
from visitor import Server, Visitor, serving

from sapper.experiments.results import summarise
from sapper.experiments.store import Store
from sapper.experiments.sweep import Sweep

pytestmark = pytest.mark.slow


def finished(visitor: Visitor, plan: int) -> Any:
    wait_until(lambda: visitor.get(f"/api/lab/{plan}")["finished"], "the sweep is finished", 180.0)
    return visitor.get(f"/api/lab/{plan}")


def test_a_sweep_is_the_one_of_the_command_line(server: Server, visitor: Visitor) -> None:
    asked = {"agents": ["basic", "random"], "size": "4x4", "densities": [0.1, 0.3], "games": 150}
    plan = visitor.post("/api/lab", 202, **asked)["id"]
    told = finished(visitor, plan)
    assert (told["done"], told["total"], told["agents"], told["size"]) == (600, 600, ["basic", "random"], "4x4")
    sweep = Sweep(("basic", "random"), ((4, 4),), (0.1, 0.3), n_games=150)
    with Store(server.folder / "results.sqlite") as store:
        expected = [summarise(store, task).as_plain_values() for task in sweep.tasks()]
    assert told["rows"] == [
        {name: value if not isinstance(value, tuple) else list(value) for name, value in row.items()}
        for row in expected
    ]
    listed = next(one for one in visitor.get("/api/lab") if one["id"] == plan)
    assert listed["finished"]
    # Asked for again, it is there already.
    assert visitor.post("/api/lab", 202, **asked)["id"] == plan


def test_a_sweep_is_stopped_by_whoever_asked_for_it_and_goes_on_later(server: Server, visitor: Visitor) -> None:
    asked = {"agents": ["contradiction-full"], "size": "10x10", "densities": [0.2], "games": 3000}
    plan = visitor.post("/api/lab", 202, **asked)["id"]
    wait_until(lambda: visitor.get(f"/api/lab/{plan}")["done"] >= 100, "something is played")
    stranger = server.visitor()
    stranger.get("/api/info")
    assert "no such sweep" in stranger.post(f"/api/lab/{plan}/stop", 404)["error"]
    visitor.post(f"/api/lab/{plan}/stop")
    wait_until(lambda: not visitor.get(f"/api/lab/{plan}")["running"], "it stops")
    told = visitor.get(f"/api/lab/{plan}")
    assert 100 <= told["done"] < 3000
    assert not told["finished"]
    assert told["error"] is None
    assert visitor.post("/api/lab", 202, **asked)["id"] == plan
    wait_until(lambda: visitor.get(f"/api/lab/{plan}")["done"] > told["done"], "it goes on")
    visitor.post(f"/api/lab/{plan}/stop")


def test_a_sweep_ends_with_its_server(tmp_path: Path) -> None:
    from processes import are_gone, children_of

    with serving(tmp_path, "--rate", "1000") as server:
        visitor = server.visitor()
        plan = visitor.post("/api/lab", 202, agents=["contradiction-full"], size="10x10", games=5000)["id"]
        wait_until(lambda: visitor.get(f"/api/lab/{plan}")["done"] >= 100, "something is played")
        children = children_of(server.process.pid)
        server.kill()
        wait_until(lambda: are_gone(children), "nobody plays on")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"agents": []}, "'agents'"),
        ({"agents": ["nobody"]}, "no agent 'nobody'"),
        ({"agents": ["basic"], "size": "100x100"}, "'size'"),
        ({"agents": ["basic"], "densities": [2]}, "'densities'"),
        ({"agents": ["basic"], "games": 10**9}, "'games'"),
        ({"agents": ["basic"], "words": "nonsense"}, "nonsense"),
        ({"agents": ["exact"] * 6, "size": "50x50", "games": 10_000}, "too large for the web app"),
    ],
)
def test_wrong_sweeps_are_refused(fields: dict[str, object], says: str, visitor: Visitor) -> None:
    assert says in visitor.post("/api/lab", 422, **fields)["error"]


def test_a_sweep_that_is_just_being_stopped_goes_on_if_it_is_asked_for_again(visitor: Visitor) -> None:
    asked = {"agents": ["contradiction-full"], "size": "10x10", "densities": [0.15], "games": 3000}
    plan = visitor.post("/api/lab", 202, **asked)["id"]
    wait_until(lambda: visitor.get(f"/api/lab/{plan}")["done"] >= 100, "something is played")
    visitor.post(f"/api/lab/{plan}/stop")
    assert visitor.post("/api/lab", 202, **asked)["id"] == plan
    told = visitor.get(f"/api/lab/{plan}")
    wait_until(lambda: visitor.get(f"/api/lab/{plan}")["done"] > told["done"], "it goes on")
    visitor.post(f"/api/lab/{plan}/stop")
    wait_until(lambda: not visitor.get(f"/api/lab/{plan}")["running"], "it stops")
    assert visitor.get(f"/api/lab/{plan}")["error"] is None


def test_looking_makes_no_file_of_results(tmp_path: Path) -> None:
    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            assert await guest.ask("GET", "/api/lab") == (200, [])
            assert (await guest.ask("GET", "/api/lab/1"))[0] == 404

    asyncio.run(visit())
    assert not (tmp_path / "results.sqlite").exists()


def test_what_is_wrong_with_the_results_is_told_without_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite").write_bytes(b"this is no database, and long enough to be looked at" * 50)

    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            for method, fields in (("GET", {}), ("POST", {"agents": ["random"], "size": "2x2", "games": 1})):
                status, told = await guest.ask(method, "/api/lab", **fields)
                assert status == 503
                assert "results.sqlite" in told["error"]
                assert str(tmp_path) not in told["error"]

    asyncio.run(visit())
