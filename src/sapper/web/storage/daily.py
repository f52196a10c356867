"""Daily boards: three a day in UTC, the same for everybody, none of which needs a guess.

A board follows from its date and its level, so whoever has the source can work it out in advance. That is no secret
worth keeping: this is a game among friends. The first try of a visitor counts; any later one is practice.
"""

from __future__ import annotations

import hashlib
import time
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from sapper.play.record import Move
from sapper.rules import PRESETS, Rules
from sapper.web.storage.store import Deal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.topology import Cell
    from sapper.web.storage.live import LiveGames
    from sapper.web.storage.results import Result, Results
    from sapper.web.storage.store import GameStore


LEVELS = ("beginner", "intermediate", "expert")
_SEEDS = 2**53


class DailyBoard(NamedTuple):
    """One board of one day."""

    day: date
    level: str

    @property
    def name(self) -> str:
        """What the store calls it."""
        return f"{self.day.isoformat()} {self.level}"

    @property
    def rules(self) -> Rules:
        """A preset whose first cell, which is opened for the player, is an opening."""
        return Rules.parse(f"{PRESETS[self.level]} first-opening")

    @property
    def seed(self) -> int:
        """A number that has nothing to do with those of other days.

        >>> DailyBoard(date(2026, 11, 17), "expert").seed == DailyBoard(date(2026, 11, 18), "expert").seed
        False
        """
        drawn = hashlib.sha256(f"Sapper daily {self.name}".encode("ascii")).digest()
        return int.from_bytes(drawn[:8], "big") % _SEEDS

    @property
    def first(self) -> Cell:
        """The cell in the middle."""
        return self.rules.rows // 2, self.rules.cols // 2


def day_at(seconds: float) -> date:
    """The day of a moment, in UTC.

    >>> day_at(86399.9), day_at(86400.0)
    (datetime.date(1970, 1, 1), datetime.date(1970, 1, 2))
    """
    return datetime.fromtimestamp(seconds, UTC).date()


class Daily:
    """The daily boards of a server, and how visitors did on them. Blocking, for threads."""

    def __init__(
        self, store: GameStore, games: LiveGames, results: Results, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._games = games
        self._results = results
        self._clock = clock

    def board(self, level: str) -> DailyBoard:
        """The board of today."""
        return DailyBoard(day_at(self._clock()), level)

    def missing(self) -> list[DailyBoard]:
        """The boards of today and tomorrow whose layouts are still to be found."""
        today = day_at(self._clock())
        boards = [DailyBoard(day, level) for day in (today, today + timedelta(days=1)) for level in LEVELS]
        return [board for board in boards if self._results.daily_layout(board.name) is None]

    def layout(self, board: DailyBoard) -> str | None:
        """The layout of a board, if it was found already."""
        return self._results.daily_layout(board.name)

    def keep(self, board: DailyBoard, layout: str) -> None:
        """Keep the layout of a board."""
        self._results.keep_daily_layout(board.name, layout)

    def begin(self, owner: str, board: DailyBoard, layout: str) -> dict[str, object]:
        """Begin a try, or go on with the one that counts; its state."""
        begun = self._store.find_daily(owner, board.name)
        if begun is not None and begun.outcome == "playing":
            return self._games.look(begun.id, owner)
        is_first = begun is None and not any(one.daily == board.name for one in self._results.of_daily(owner))
        # Whoever has tried it knows it.
        deal = Deal(seed_given=not is_first, no_guess=True, layout=layout, daily=board.name if is_first else None)
        stored = self._store.create(owner, str(board.rules), board.seed, deal)
        return self._games.play(stored.id, owner, Move("open", *board.first))

    def describe(self, owner: str) -> dict[str, object]:
        """Today's boards, how the visitor did on each, and the days in a row with one solved."""
        now = self._clock()
        today = day_at(now)
        midnight = datetime.combine(today + timedelta(days=1), datetime.min.time(), UTC).timestamp()
        results = self._results.of_daily(owner)
        current, longest = streaks(_solved_days(results), today)
        return {
            "date": today.isoformat(),
            "seconds_left": round(midnight - now, 3),
            "streak": current,
            "longest_streak": longest,
            "levels": [self._describe_level(owner, DailyBoard(today, level), results) for level in LEVELS],
        }

    def _describe_level(self, owner: str, board: DailyBoard, results: list[Result]) -> dict[str, object]:
        result = next((one for one in results if one.daily == board.name), None)
        begun = self._store.find_daily(owner, board.name)
        state = "open" if begun is None else "playing"
        if result is not None:
            state = "solved" if result.is_won else "failed"
        return {
            "level": board.level,
            "rules": str(board.rules),
            "state": state,
            "game": None if begun is None else begun.id,
            "seconds": None if result is None else round(result.seconds, 3),
            "speed": None if result is None else result.speed,
            "assisted": result is not None and result.assisted,
        }


def _solved_days(results: Iterable[Result]) -> set[date]:
    return {
        date.fromisoformat(one.daily.split()[0])
        for one in results
        if one.daily is not None and one.is_won and not one.assisted
    }


def streaks(days: set[date], today: date) -> tuple[int, int]:
    """Days in a row: those that last until today or yesterday, and the most there ever were.

    >>> days = {date(2026, 3, 1), date(2026, 2, 28), date(2026, 2, 20)}
    >>> streaks(days, date(2026, 3, 2)), streaks(days, date(2026, 3, 3))
    ((2, 2), (0, 2))
    """
    longest = current = 0
    for day in sorted(days):
        current = current + 1 if day - timedelta(days=1) in days else 1
        longest = max(longest, current)
    is_alive = today in days or today - timedelta(days=1) in days
    # A clock that went back may have left days to come.
    return (current if is_alive and max(days) <= today else 0), longest
