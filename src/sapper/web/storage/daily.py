"""Daily boards: three no-guess boards a day (UTC), the same for everyone.

A board follows from its date and level, so anyone with the source can compute it in advance; it is no secret. A
visitor's first attempt counts; later ones are practice.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sapper.play.record import Move
from sapper.rules import PRESETS, Rules
from sapper.topology import Cell
from sapper.web.storage.live import LiveGames
from sapper.web.storage.results import ResultStore, StoredResult
from sapper.web.storage.store import Deal, GameStore

LEVELS = ("beginner", "intermediate", "expert")
_SEEDS = 2**53


class DailyBoard(NamedTuple):
    """One board of one day."""

    day: date
    level: str

    @property
    def name(self) -> str:
        """Return its key in the store."""
        return f"{self.day.isoformat()} {self.level}"

    @property
    def rules(self) -> Rules:
        """Return a preset whose first cell, which is opened for the player, is an opening."""
        return Rules.parse(f"{PRESETS[self.level]} first-opening")

    @property
    def seed(self) -> int:
        """Return a seed that is unrelated to those of other days.

        >>> DailyBoard(date(2026, 11, 17), "expert").seed == DailyBoard(date(2026, 11, 18), "expert").seed
        False
        """
        drawn = hashlib.sha256(f"Sapper daily {self.name}".encode("ascii")).digest()
        return int.from_bytes(drawn[:8], "big") % _SEEDS

    @property
    def first(self) -> Cell:
        """Return the cell in the middle."""
        return self.rules.rows // 2, self.rules.cols // 2


def day_at(seconds: float) -> date:
    """Return the UTC day of a time.

    >>> day_at(86399.9), day_at(86400.0)
    (datetime.date(1970, 1, 1), datetime.date(1970, 1, 2))
    """
    return datetime.fromtimestamp(seconds, UTC).date()


class Daily:
    """The daily boards of a server and visitors' results. Its methods block, so call them in threads."""

    def __init__(
        self, store: GameStore, games: LiveGames, results: ResultStore, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._games = games
        self._results = results
        self._clock = clock

    def board(self, level: str) -> DailyBoard:
        """Return today's board."""
        return DailyBoard(day_at(self._clock()), level)

    def missing(self) -> list[DailyBoard]:
        """Return the boards of today and tomorrow without layouts."""
        today = day_at(self._clock())
        boards = [DailyBoard(day, level) for day in (today, today + timedelta(days=1)) for level in LEVELS]
        return [board for board in boards if self._results.daily_layout(board.name) is None]

    def layout(self, board: DailyBoard) -> str | None:
        """Return the layout of a board, if it is known."""
        return self._results.daily_layout(board.name)

    def keep(self, board: DailyBoard, layout: str) -> None:
        """Store the layout of a board."""
        self._results.keep_daily_layout(board.name, layout)

    def begin(self, owner: str, board: DailyBoard, layout: str) -> dict[str, object]:
        """Begin an attempt, or continue the one that counts; return its state."""
        begun = self._store.find_daily(owner, board.name)
        if begun is not None and begun.outcome == "playing":
            return self._games.look(begun.id, owner)
        is_first = begun is None and not any(one.daily == board.name for one in self._results.of_daily(owner))
        # After a first attempt the board is known.
        deal = Deal(seed_given=not is_first, no_guess=True, layout=layout, daily=board.name if is_first else None)
        stored = self._store.create(owner, str(board.rules), board.seed, deal)
        return self._games.play(stored.id, owner, Move("open", *board.first))

    def describe(self, owner: str) -> dict[str, object]:
        """Return today's boards, the visitor's results and the current streak of days."""
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

    def _describe_level(self, owner: str, board: DailyBoard, results: list[StoredResult]) -> dict[str, object]:
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


def _solved_days(results: Iterable[StoredResult]) -> set[date]:
    return {
        date.fromisoformat(one.daily.split()[0])
        for one in results
        if one.daily is not None and one.is_won and not one.assisted
    }


def streaks(days: set[date], today: date) -> tuple[int, int]:
    """Return the streak of days that lasts until today or yesterday, and the longest one.

    >>> days = {date(2026, 3, 1), date(2026, 2, 28), date(2026, 2, 20)}
    >>> streaks(days, date(2026, 3, 2)), streaks(days, date(2026, 3, 3))
    ((2, 2), (0, 2))
    """
    longest = current = 0
    for day in sorted(days):
        current = current + 1 if day - timedelta(days=1) in days else 1
        longest = max(longest, current)
    is_alive = today in days or today - timedelta(days=1) in days
    # If the clock was set back, there may be days in the future.
    return (current if is_alive and max(days) <= today else 0), longest
