"""Puzzles that were made lately: nobody waits for them twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sapper.web.work import made as made_module
from sapper.web.work import training
from sapper.web.work.made import MadePuzzles
from sapper.web.work.processes import Answer, Lane

LINKS = ["single.9x9.10.5", "subsets.9x9.10.5", "pairs.9x9.10.5"]


class CountingLane(Lane):
    """A lane that notes which puzzles it was asked for."""

    def __init__(self) -> None:
        super().__init__(1, 30.0)
        self.asked: list[list[str]] = []

    async def run(self, owner: str, job: Any, *arguments: Any) -> Answer:
        self.asked.append(arguments[0])
        return await super().run(owner, job, *arguments)


def test_puzzles_are_made_once_and_kept_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_module, "MOST_KEPT", 2)
    lane = CountingLane()
    puzzles = MadePuzzles(lane)

    async def look() -> None:
        both = await puzzles.find_all("ada", LINKS[:2])
        assert [one["link"] for one in both] == LINKS[:2]
        assert await puzzles.find("ada", LINKS[1]) == both[1]
        assert lane.asked == [LINKS[:2]]
        puzzles.keep(training.make(LINKS[2:]))
        await puzzles.find("ada", LINKS[2])
        assert lane.asked == [LINKS[:2]]
        # The oldest made room.
        assert await puzzles.find("ada", LINKS[0]) == both[0]
        assert lane.asked == [LINKS[:2], LINKS[:1]]

    try:
        asyncio.run(look())
    finally:
        lane.close()
