"""Daily boards: three no-guess boards a day (UTC), the same for everyone and of similar difficulty every day.

A board follows from its date and level, so anyone with the source can compute it in advance; it is no secret. A
visitor's first attempt counts; later ones are practice. The results of all visitors are counted, without names.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sapper.layout import Layout
from sapper.play.metrics import board_metrics
from sapper.play.record import Move
from sapper.rules import PRESETS, Rules
from sapper.topology import Cell
from sapper.web.storage.live import LiveGames
from sapper.web.storage.results import ResultStore, StoredResult
from sapper.web.storage.store import Deal, GameStore

LEVELS = ("beginner", "intermediate", "expert")
_SEEDS = 2**53
# The 3BV that boards of a level may have. Of no-guess boards, beginner had 3 to 31 (median 13), intermediate 35 to 104
# (61) and expert 121 to 225 (163), on 400, 400 and 200 days.
BANDS = {"beginner": (15, 24), "intermediate": (55, 72), "expert": (150, 185)}
# Boards of the days before keep the one seed that they had.
SCREENED_FROM = date(2026, 11, 20)
_MAX_TRIES = 50  # one in three fits
# Par is what somebody takes who clears this much 3BV per second, rounded to five seconds.
_PAR_SPEED = 0.8
_BINS_PER_PAR = 4


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
    def seeds(self) -> list[int]:
        """Return the seeds to try in turn, unrelated to those of other days.

        >>> one, other = DailyBoard(date(2026, 12, 17), "expert"), DailyBoard(date(2026, 12, 18), "expert")
        >>> set(one.seeds) & set(other.seeds), len(one.seeds)
        (set(), 50)
        """
        names = [f"Sapper daily {self.name}"]
        if self.day >= SCREENED_FROM:
            names = [f"{names[0]} {number}" for number in range(_MAX_TRIES)]
        drawn = (hashlib.sha256(name.encode("ascii")).digest() for name in names)
        return [int.from_bytes(digest[:8], "big") % _SEEDS for digest in drawn]

    @property
    def band(self) -> tuple[int, int]:
        """Return the least and the most 3BV."""
        return BANDS[self.level]

    @property
    def first(self) -> Cell:
        """Return the cell in the middle."""
        return self.rules.rows // 2, self.rules.cols // 2


class FoundBoard(NamedTuple):
    """The mines of a daily board."""

    layout: str
    seed: int

    @property
    def bbbv(self) -> int:
        """Return its 3BV."""
        return board_metrics(Layout.parse(self.layout, "square")).bbbv


def par_of(bbbv: int) -> int:
    """Return the par of a board, in seconds.

    >>> par_of(18), par_of(160)
    (20, 200)
    """
    return max(5, 5 * round(bbbv / _PAR_SPEED / 5))


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

    def find(self, board: DailyBoard) -> FoundBoard | None:
        """Return the mines of a board, if they are known."""
        known = self._results.daily_layout(board.name)
        if known is None:
            return None
        layout, seed = known
        return FoundBoard(layout, board.seeds[0] if seed is None else seed)

    def keep(self, board: DailyBoard, found: FoundBoard) -> None:
        """Store the mines of a board."""
        self._results.keep_daily_layout(board.name, *found)

    def begin(self, owner: str, board: DailyBoard, found: FoundBoard) -> dict[str, object]:
        """Begin an attempt, or continue the one that counts; return its state."""
        begun = self._store.find_daily(owner, board.name)
        if begun is not None and begun.outcome == "playing":
            return self._games.look(begun.id, owner)
        is_first = begun is None and not any(one.daily == board.name for one in self._results.of(owner, daily=True))
        # After a first attempt the board is known.
        deal = Deal(
            seed_given=not is_first,
            no_guess=True,
            layout=found.layout,
            daily=board.name if is_first else None,
            practice=None if is_first else board.name,
        )
        stored = self._store.create(owner, str(board.rules), found.seed, deal)
        return self._games.play(stored.id, owner, Move("open", *board.first))

    def describe(self, owner: str) -> dict[str, object]:
        """Return today's boards, the visitor's results and the current streak of days."""
        now = self._clock()
        today = day_at(now)
        midnight = datetime.combine(today + timedelta(days=1), datetime.min.time(), UTC).timestamp()
        results = self._results.of(owner, daily=True)
        current, longest = streaks(_solved_days(results), today)
        return {
            "date": today.isoformat(),
            "seconds_left": round(midnight - now, 3),
            "streak": current,
            "longest_streak": longest,
            "levels": [self._describe_level(owner, DailyBoard(today, level), results) for level in LEVELS],
        }

    def describe_board(self, owner: str, board: DailyBoard, found: FoundBoard) -> dict[str, object]:
        """Return what may be known of a board before it is played, and the results of all visitors on it."""
        results = self._results.of(owner, daily=True)
        own = next(
            (one.seconds for one in results if one.daily == board.name and one.is_won and not one.assisted), None
        )
        bbbv = found.bbbv
        width = par_of(bbbv) / _BINS_PER_PAR
        field = self._results.daily_field(board.name, width, own)
        return {
            **self._describe_level(owner, board, results),
            "date": board.day.isoformat(),
            "3bv": bbbv,
            "par": par_of(bbbv),
            "field": {"seconds_per_bin": width, **field._asdict()},
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
