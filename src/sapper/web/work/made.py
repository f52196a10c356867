"""Puzzles that were made lately, with their solutions: those that somebody thinks about, and those that may follow."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, cast

from sapper.web.requests.answers import Refusal
from sapper.web.work.training import Values, make

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.web.work.processes import Lane

MOST_KEPT = 2_000  # some kilobytes each, some twenty on large boards of one's own; others are made again


class NoPuzzle(Refusal):
    """A link that names no puzzle: its board or its position has none of the kind."""


class MadePuzzles:
    """Puzzles by their links. For the event loop; `Lane` does the work."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._kept: OrderedDict[str, Values] = OrderedDict()

    async def find(self, owner: str, link: str) -> Values:
        """The puzzle of a link."""
        return (await self.find_all(owner, [link]))[0]

    async def find_all(self, owner: str, links: list[str]) -> list[Values]:
        """The puzzles of some links; at once if all are there, else they are made now. Raises `NoPuzzle`."""
        there = {link: self._kept[link] for link in links if link in self._kept}
        missing = [link for link in links if link not in there]
        if missing:
            made = cast("list[Values]", (await self._lane.run(owner, make, missing)).value())
            why_not = next((one["why_not"] for one in made if "why_not" in one), None)
            if why_not is not None:
                raise NoPuzzle(422, why_not)
            there |= zip(missing, made, strict=True)
            self.keep(made)
        return [there[link] for link in links]

    def keep(self, made: Iterable[Values]) -> None:
        """Keep puzzles for whoever asks for them next."""
        for one in made:
            self._kept[one["link"]] = one
            self._kept.move_to_end(one["link"])
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
