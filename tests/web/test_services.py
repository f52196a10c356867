"""The event loop waits for nobody, visitors take turns with themselves alone, and what nobody waits for is logged."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from in_process import Guest, settle, visiting
from processes import PATIENCE

from sapper.web.api import daily
from sapper.web.http.responses import Refusal
from sapper.web.jobs.pool import WorkerPool
from sapper.web.storage.store import GameStore

RECORD = "Sapper-Record: 1\nRules: 5x5/3\nSeed: 5\nMoves:\nflag 0,0\n"


@pytest.mark.slow
def test_the_event_loop_never_asks_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, on_the_loop = "", list[str]()
    explained = GameStore._explained

    @contextmanager
    def noticed(store: GameStore) -> Iterator[None]:
        # Whoever opens the file, reads or writes passes here.
        if asyncio._get_running_loop() is not None:
            on_the_loop.append(where)
        with explained(store):
            yield

    async def ask_for_everything(guest: Guest) -> list[str]:
        nonlocal where
        game = (await guest.begin("5x5/3", seed=1))["id"]
        no_guess = (await guest.begin("5x5/3", seed=1, no_guess=True))["id"]
        failed = []
        for method, path, fields in (
            ("GET", "/api/games", {}),
            ("POST", f"/api/games/{game}/moves", {"action": "open", "row": 0, "col": 0}),
            ("POST", f"/api/games/{no_guess}/moves", {"action": "open", "row": 0, "col": 0}),
            ("GET", f"/api/games/{game}", {}),
            ("GET", f"/api/games/{game}/hint", {}),
            ("GET", f"/api/games/{game}/chances", {}),
            ("GET", f"/api/games/{game}/wrong-flags", {}),
            ("GET", f"/api/games/{game}/analysis", {}),
            ("GET", f"/api/games/{game}/download?format=text", {}),
            ("POST", f"/api/games/{game}/undo", {}),
            ("POST", f"/api/games/{game}/again", {}),
            ("POST", "/api/games/onward", {"record": RECORD, "moves": 1}),
            ("POST", "/api/review", {"game": game}),
            ("GET", "/api/daily", {}),
            ("POST", "/api/daily", {"level": "beginner"}),
            ("GET", "/api/train", {}),
            ("POST", "/api/train/next", {}),
            ("POST", "/api/train/puzzle", {"link": "single.9x9.10.5"}),
            ("POST", "/api/train/check", {"link": "single.9x9.10.5", "give_up": True}),
            ("GET", "/api/train/course", {}),
            ("GET", "/api/lab", {}),
            ("GET", "/api/you", {}),
            ("GET", "/api/you/export", {}),
            ("DELETE", "/api/you", {}),
        ):
            where = f"{method} {path}"
            status, told = await guest.ask(method, path, **fields)
            # 409: the game is not over yet.
            if status not in (200, 201, 409):
                failed.append(f"{where}: {status} {told}")
        return failed

    async def visit() -> list[str]:
        async with visiting(tmp_path) as guest:
            monkeypatch.setattr(GameStore, "_explained", noticed)
            return await ask_for_everything(guest)

    assert asyncio.run(visit()) == []
    assert on_the_loop == []


def test_whoever_asks_for_something_else_does_not_wait_for_a_move_that_waits_for_the_store(tmp_path: Path) -> None:
    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            state = await guest.begin("5x5/3")
            lock = guest.services.store._lock
            lock.acquire()
            # If the loop waited for it, nobody else would ever let go.
            rescue = threading.Timer(PATIENCE, lock.release)
            rescue.start()
            try:
                path = f"/api/games/{state['id']}/moves"
                move = asyncio.create_task(guest.ask("POST", path, action="flag", row=0, col=0))
                await settle()
                assert (await guest.ask("GET", "/api/info"))[0] == 200
                # Nor do those who only read.
                other = Guest(guest.app)
                assert await other.ask("GET", "/api/games") == (200, [])
                assert not move.done()
            finally:
                rescue.cancel()
                lock.release()
            assert (await move)[0] == 200

    asyncio.run(visit())


def test_a_hint_waits_for_the_move_that_is_being_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            state = await guest.begin("5x5/3")
            games, may_move = guest.services.games, threading.Event()
            play, see = games.play, games.see

            def play_slowly(*arguments: Any) -> Any:
                assert may_move.wait(PATIENCE)
                made = play(*arguments)
                done.append("moved")
                return made

            def note(*arguments: Any) -> Any:
                done.append("looked")
                return see(*arguments)

            monkeypatch.setattr(games, "play", play_slowly)
            monkeypatch.setattr(games, "see", note)
            path = f"/api/games/{state['id']}"
            move = asyncio.create_task(guest.ask("POST", f"{path}/moves", action="flag", row=0, col=0))
            await settle()
            look = asyncio.create_task(guest.ask("GET", f"{path}/analysis"))
            await settle()
            may_move.set()
            assert (await move)[0] == 200
            assert (await look)[1]["position"].startswith("F")

    asyncio.run(visit())
    assert done == ["moved", "looked"]


def test_one_visitor_never_has_all_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            greedy, owner_may_go = Guest(guest.app), threading.Event()
            state, other = await guest.begin("5x5/3"), await greedy.begin("5x5/3")
            games, look = guest.services.games, guest.services.games.look

            def look_slowly(game_id: str, owner: str) -> Any:
                assert game_id != other["id"] or owner_may_go.wait(PATIENCE)
                return look(game_id, owner)

            monkeypatch.setattr(games, "look", look_slowly)
            tasks = [asyncio.create_task(greedy.ask("GET", f"/api/games/{other['id']}")) for _ in range(20)]
            await settle()
            assert (await guest.ask("GET", f"/api/games/{state['id']}"))[0] == 200
            owner_may_go.set()
            assert [(await task)[0] for task in tasks] == [200] * 20

    asyncio.run(visit())


@pytest.mark.slow
def test_first_clicks_and_daily_boards_wait_for_no_analysis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise Refusal(503, "Whole games and best cells keep this pool busy.")

    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            for pool in (guest.services.long, guest.services.analyses, guest.services.reports):
                assert isinstance(pool, WorkerPool)
                monkeypatch.setattr(pool, "run", refuse)
            state = await guest.begin("5x5/3", no_guess=True)
            path = f"/api/games/{state['id']}/moves"
            assert (await guest.ask("POST", path, action="open", row=2, col=2))[0] == 200
            assert (await guest.ask("POST", "/api/daily", level="beginner"))[0] == 201

    asyncio.run(visit())


@pytest.mark.slow
def test_a_daily_board_is_made_once_for_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    async def visit() -> list[int]:
        async with visiting(tmp_path) as guest:
            run = guest.services.boards.run

            async def note(owner: str, *arguments: Any) -> Any:
                asked.append(arguments)
                return await run(owner, *arguments)

            monkeypatch.setattr(guest.services.boards, "run", note)
            crowd = [Guest(guest.app).ask("POST", "/api/daily", level="beginner") for _ in range(20)]
            return [status for status, _ in await asyncio.gather(*crowd)]

    assert asyncio.run(visit()) == [201] * 20
    assert len(asked) == 1


def test_housekeeping_goes_on_after_a_fault_and_logs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def visit() -> None:
        async with visiting(tmp_path) as guest:
            loop, again, others = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
            tried: list[int] = []

            def fail() -> None:
                tried.append(1)
                if len(tried) > 2:
                    loop.call_soon_threadsafe(again.set)
                raise ZeroDivisionError("nobody has foreseen this")

            async def nothing(services: object) -> None:
                pass

            monkeypatch.setattr(daily, "SECONDS_AT_FIRST", 0.0)
            monkeypatch.setattr(daily, "SECONDS_BETWEEN", 0.01)
            monkeypatch.setattr(daily, "prepare", nothing)
            monkeypatch.setattr(guest.services.results_of_games, "make_room", fail)
            monkeypatch.setattr(guest.services.store, "trim_attempts", lambda: loop.call_soon_threadsafe(others.set))
            guest.services.in_background("maintenance of the test", daily.run_maintenance(guest.services))
            async with asyncio.timeout(PATIENCE):
                await again.wait()
                await others.wait()

    asyncio.run(visit())
    assert "ZeroDivisionError: nobody has foreseen this" in capfd.readouterr().err
