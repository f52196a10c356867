"""Puzzles that were made lately: nobody waits for them twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sapper.web.http.responses import Refusal, encode
from sapper.web.jobs import training
from sapper.web.jobs import training as made_module
from sapper.web.jobs.pool import JobResult, WorkerPool
from sapper.web.jobs.training import NoPuzzle, PuzzleCache

LINKS = ["single.9x9.10.5", "subsets.9x9.10.5", "pairs.9x9.10.5"]


class CountingPool(WorkerPool):
    """A pool that notes which puzzles it was asked for."""

    def __init__(self) -> None:
        super().__init__(1, 30.0)
        self.asked: list[list[str]] = []

    async def run(self, owner: str, job: Any, *arguments: Any) -> JobResult:
        self.asked.append(arguments[0])
        return await super().run(owner, job, *arguments)


@pytest.mark.slow
def test_puzzles_are_made_once_and_kept_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_module, "MAX_KEPT", 2)
    pool = CountingPool()
    puzzles = PuzzleCache(pool)

    async def look() -> None:
        both = await puzzles.find_all("ada", LINKS[:2])
        assert [one["link"] for one in both] == LINKS[:2]
        assert await puzzles.find("ada", LINKS[1]) == both[1]
        assert pool.asked == [LINKS[:2]]
        puzzles.keep(training.make(LINKS[2:]))
        await puzzles.find("ada", LINKS[2])
        assert pool.asked == [LINKS[:2]]
        # The oldest made room.
        assert await puzzles.find("ada", LINKS[0]) == both[0]
        assert pool.asked == [LINKS[:2], LINKS[:1]]

    try:
        asyncio.run(look())
    finally:
        pool.close()


class AnsweringPool(WorkerPool):
    """A pool that answers what it is told to."""

    def __init__(self, status: int, value: object) -> None:
        super().__init__(1, 30.0)
        self.answer = JobResult(status, encode(value))

    async def run(self, *_: Any) -> JobResult:
        return self.answer


@pytest.mark.parametrize(
    ("status", "value", "is_none"),
    [
        (200, training.make(["one-two.5x5.3.hex.1"]), True),
        (200, training.make(["guess.___-000"]), True),
        (422, {"error": "This takes more memory or more steps than the server allows."}, False),
        (503, {"error": "Busy."}, False),
    ],
)
def test_a_link_without_a_puzzle_is_told_from_all_else_that_goes_wrong(
    status: int, value: object, is_none: bool
) -> None:
    pool = AnsweringPool(status, value)
    try:
        with pytest.raises(Refusal) as refusal:
            asyncio.run(PuzzleCache(pool).find("ada", "some link"))
    finally:
        pool.close()
    assert isinstance(refusal.value, NoPuzzle) == is_none
    assert refusal.value.status == (422 if is_none else status)
    assert str(refusal.value).endswith(".")
