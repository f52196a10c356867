"""Worker pools: nobody fills the line alone, and nobody is forgotten or remembered for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from in_process import settle
from processes import PATIENCE

from sapper.web.http.responses import Refusal
from sapper.web.jobs import pool as module
from sapper.web.jobs.pool import JobResult, WorkerPool


class SlowPool(WorkerPool):
    """A pool whose jobs are done, in this process, once they may be."""

    def __init__(self) -> None:
        super().__init__(1, PATIENCE)
        self.may_work = threading.Event()
        self.done: list[str] = []

    def _do(self, job: Any, arguments: tuple[object, ...]) -> JobResult:
        del job
        assert self.may_work.wait(PATIENCE)
        self.done.append(str(arguments[0]))
        return JobResult(200, b"null")


@pytest.fixture
def pool() -> Iterator[SlowPool]:
    made = SlowPool()
    yield made
    made.may_work.set()
    made.close()


async def refusals(tasks: list[asyncio.Task[JobResult]]) -> list[int]:
    found = await asyncio.gather(*tasks, return_exceptions=True)
    return [one.status for one in found if isinstance(one, Refusal)]


def test_whoever_fills_the_line_is_refused_and_others_are_not(pool: SlowPool) -> None:
    async def visit() -> None:
        greedy = [asyncio.create_task(pool.run("greedy", print, "greedy")) for _ in range(40)]
        await settle()
        calm = asyncio.create_task(pool.run("calm", print, "calm"))
        await settle()
        pool.may_work.set()
        assert (await calm).status == 200
        assert await refusals(greedy) == [429] * (40 - module.MAX_OWN_WAITING)
        assert pool.done.count("greedy") == module.MAX_OWN_WAITING
        # One job of the greedy one was begun before; the others take turns with everybody else.
        assert pool.done.index("calm") == 1
        assert not pool._waiting

    asyncio.run(visit())


def test_a_line_has_an_end_for_many_too(pool: SlowPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 5)

    async def visit() -> None:
        crowd = [asyncio.create_task(pool.run(f"visitor {number}", print, "job")) for number in range(7)]
        await settle()
        pool.may_work.set()
        assert await refusals(crowd) == [503, 503]

    asyncio.run(visit())
