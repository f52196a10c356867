"""Results: a row for every game that was won or lost, and a visitor's statistics by board and in all.

Results outlast the games, of which only the newest are kept. A row is written in the transaction of the move that ends
the game. The risks of its moves are computed later in a worker; until then the row has the record of the game. Only
games without help count; those with help are counted separately.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from sapper.rules import DEALINGS
from sapper.statistics import wilson
from sapper.web.storage.states import as_time

if TYPE_CHECKING:
    from sapper.web.storage.store import GameStore

MAX_OWN_RESULTS = 5_000  # of one visitor; the oldest make room
MAX_RESULTS = 1_000_000  # in all
N_BINS = 12  # of the results of a daily board


class GameEnding(NamedTuple):
    """What is stored about a finished game besides what the store knows."""

    bbbv: int | None
    clicks: int
    record: str | None  # to compute its risks; None if they should not be computed


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A game that was won or lost."""

    game: str
    rules: str
    no_guess: bool
    daily: str | None
    outcome: str
    seconds: float
    bbbv: int | None  # None: it ended before its mines were placed
    clicks: int
    assisted: bool  # with help, an undone move or a known board
    ended: float
    # Computed from the moves; None: not yet, or never.
    risk: float | None  # sum over the moves
    variance: float | None  # of the number of mines hit
    needless: float | None  # risk beyond the least possible
    hits: int | None  # mines hit by moves whose risk is known
    mistakes: int | None  # openings of certain mines and flags on safe cells
    unknown: int | None  # moves whose risk was too hard to compute
    waits: bool  # for its risks to be computed

    @property
    def is_won(self) -> bool:
        """Return whether it was won."""
        return self.outcome == "won"

    @property
    def speed(self) -> float | None:
        """Return the 3BV per second of a win."""
        return self.bbbv / self.seconds if self.is_won and self.bbbv and self.seconds > 0 else None


class RiskTotals(NamedTuple):
    """The risks of a game's moves, added up."""

    risk: float | None
    variance: float | None
    needless: float | None
    hits: int | None
    mistakes: int | None
    unknown: int | None


NOTHING = RiskTotals(None, None, None, None, None, None)
_STORED = ", ".join(name for name in StoredResult.__slots__ if name != "waits")
_FLAGS = [StoredResult.__slots__.index(name) for name in ("no_guess", "assisted", "waits")]
_ASSISTED = "(helped OR undone OR seed_given)"


def add_result(db: sqlite3.Connection, game_id: str, ending: GameEnding, now: float) -> None:
    """Add the result of a game, in a transaction of the store.

    The first result stands, even if a loss is undone. Continued games have no result.
    """
    db.execute(
        "INSERT OR IGNORE INTO results (game, owner, rules, no_guess, daily, outcome, seconds, bbbv, clicks, assisted, "
        f"ended, record) SELECT id, owner, rules, no_guess, daily, outcome, seconds, ?, ?, {_ASSISTED}, ?, "
        f"CASE WHEN {_ASSISTED} THEN NULL ELSE ? END FROM games "
        "WHERE id = ? AND NOT played_on AND outcome IN ('won', 'lost')",
        (ending.bbbv, ending.clicks, now, ending.record, game_id),
    )


class BoardStanding(NamedTuple):
    """A visitor's results on a kind of board before a game."""

    games: int
    wins: int
    streak: int  # wins in a row
    best_seconds: float | None
    best_speed: float | None  # 3BV per second


class DailyField(NamedTuple):
    """The results of all visitors on a daily board, without those that had help."""

    failed: int
    bins: list[int]  # solved, by seconds; the last bin has no end
    place: int | None  # of the visitor who asks
    own_bin: int | None


class ResultStore:
    """The results in the file of games. Its methods block, so call them in threads."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def of(self, owner: str, *, daily: bool = False) -> list[StoredResult]:
        """Return all results of a visitor, or only those on daily boards, the oldest first."""
        with self._store.reading() as db:
            rows = db.execute(
                f"SELECT {_STORED}, record IS NOT NULL FROM results WHERE owner = ? AND (daily IS NOT NULL OR NOT ?) "
                "ORDER BY ended, game",
                (owner, daily),
            ).fetchall()
        return [_of_row(row) for row in rows]

    def standing(self, game_id: str) -> tuple[bool, BoardStanding] | None:
        """Return whether a game counts, and the standing before it; None if it has no result."""
        with self._store.reading() as db:
            found = db.execute(
                "SELECT owner, rules, no_guess, daily IS NULL, assisted, ended FROM results WHERE game = ?", (game_id,)
            ).fetchone()
            if found is None:
                return None
            owner, rules, no_guess, is_plain, assisted, ended = found
            before = db.execute(
                "SELECT outcome, seconds, bbbv FROM results WHERE owner = ? AND rules = ? AND no_guess = ? "
                "AND (daily IS NULL) = ? AND NOT assisted AND game != ? AND ended <= ? ORDER BY ended DESC, game DESC",
                (owner, rules, no_guess, is_plain, game_id, ended),
            ).fetchall()
        won = [(seconds, bbbv) for outcome, seconds, bbbv in before if outcome == "won"]
        streak = next((number for number, row in enumerate(before) if row[0] != "won"), len(before))
        return not assisted, BoardStanding(
            len(before),
            len(won),
            streak,
            min((seconds for seconds, _ in won), default=None),
            max((bbbv / seconds for seconds, bbbv in won if bbbv and seconds > 0), default=None),
        )

    def next_waiting(self, owner: str) -> tuple[str, str] | None:
        """Return the id and the record of the newest game without risks."""
        with self._store.reading() as db:
            row: tuple[str, str] | None = db.execute(
                "SELECT game, record FROM results WHERE owner = ? AND record IS NOT NULL ORDER BY ended DESC LIMIT 1",
                (owner,),
            ).fetchone()
        return row

    def keep_risks(self, game_id: str, found: RiskTotals) -> None:
        """Store the risks of a game."""
        with self._store.changing() as db:
            db.execute(
                "UPDATE results SET risk = ?, variance = ?, needless = ?, hits = ?, mistakes = ?, unknown = ?, "
                "record = NULL WHERE game = ?",
                (*found, game_id),
            )

    def make_room(self, owner: str | None = None) -> None:
        """Remove the oldest results beyond the limit: of a visitor, or of all together."""
        which = "TRUE" if owner is None else "owner = ?"
        values = (MAX_RESULTS,) if owner is None else (owner, MAX_OWN_RESULTS)
        with self._store.reading() as db:
            found = db.execute(
                f"SELECT game FROM results WHERE {which} ORDER BY ended DESC LIMIT -1 OFFSET ?", values
            ).fetchall()
        self._store.remove_lines("results", ("game",), found)

    # -- daily boards -------------------------------------------------------------------------------------

    def daily_layout(self, name: str) -> tuple[str, int | None] | None:
        """Return the layout of a daily board and its seed, which older files lack, if the board is known."""
        with self._store.reading() as db:
            row: tuple[str, int | None] | None = db.execute(
                "SELECT layout, seed FROM daily_layouts WHERE name = ?", (name,)
            ).fetchone()
        return row

    def keep_daily_layout(self, name: str, layout: str, seed: int) -> None:
        """Store the layout of a daily board unless there is one: everyone gets the same."""
        with self._store.changing() as db:
            db.execute(
                "INSERT OR IGNORE INTO daily_layouts (name, layout, seed) VALUES (?, ?, ?)", (name, layout, seed)
            )

    def daily_field(self, name: str, width: float, own: float | None) -> DailyField:
        """Return how all visitors did on a daily board; ``own``: the seconds of the visitor who asks, if they count.

        Bins are ``width`` seconds wide. Only counts leave the file, and one index has all that is read.
        """
        with self._store.reading() as db:
            bins = db.execute(
                "SELECT min(CAST(seconds / ? AS INTEGER), ?), count(*) FROM results "
                "WHERE daily = ? AND outcome = 'won' AND assisted = 0 GROUP BY 1",
                (width, N_BINS - 1, name),
            ).fetchall()
            (failed,) = db.execute(
                "SELECT count(*) FROM results WHERE daily = ? AND outcome = 'lost' AND assisted = 0", (name,)
            ).fetchone()
            (faster,) = db.execute(
                "SELECT count(*) FROM results WHERE daily = ? AND outcome = 'won' AND assisted = 0 AND seconds < ?",
                (name, own),
            ).fetchone()
        counts = [0] * N_BINS
        for number, n in bins:
            counts[number] = n
        if own is None:
            return DailyField(failed, counts, None, None)
        return DailyField(failed, counts, faster + 1, min(int(own / width), N_BINS - 1))


def _of_row(row: tuple[object, ...]) -> StoredResult:
    return StoredResult(*(bool(value) if place in _FLAGS else value for place, value in enumerate(row)))  # type: ignore[arg-type]


# The fields of a result, in this order.
FIELDS = (
    "game", "rules", "no_guess", "daily", "outcome", "seconds", "3bv", "clicks", "speed", "assisted", "ended", "risk",
    "needless", "mistakes",
)  # fmt: skip
_SLOTS = {"3bv": "bbbv"}  # names that are not Python identifiers
MAX_TOLD = 1_000  # newest results that are listed


def describe_results(results: Sequence[StoredResult]) -> dict[str, object]:
    """Return the statistics of results, which are sorted from old to new."""
    boards: dict[tuple[str, bool, bool], list[StoredResult]] = {}
    for one in results:
        boards.setdefault((one.rules, one.no_guess, one.daily is not None), []).append(one)
    # The most played board comes first.
    ordered = sorted(boards.items(), key=lambda item: (-len(item[1]), item[0]))
    return {
        "all": _describe(results),
        "boards": [
            {"rules": rules, "no_guess": no_guess, "daily": is_daily, **_describe(played)}
            for (rules, no_guess, is_daily), played in ordered
        ],
        "results": [describe_result(one) for one in results[-MAX_TOLD:]],
    }


def describe_result(one: StoredResult) -> dict[str, object]:
    """Return a result as plain values."""
    told: dict[str, object] = {name: getattr(one, _SLOTS.get(name, name)) for name in FIELDS}
    return told | {"seconds": round(one.seconds, 3), "ended": as_time(one.ended)}


def _describe(results: Sequence[StoredResult]) -> dict[str, object]:
    counted = [one for one in results if not one.assisted]
    assisted = [one for one in results if one.assisted]
    won = [one for one in counted if one.is_won]
    speeds = [one.speed for one in won if one.speed is not None]
    efficiencies = [one.bbbv / one.clicks for one in won if one.bbbv and one.clicks]
    current, longest = _streaks(counted)
    return {
        "games": len(counted),
        "wins": len(won),
        "rate": list(wilson(len(won), len(counted))) if counted else None,
        "best_seconds": min((one.seconds for one in won), default=None),
        "median_seconds": median(one.seconds for one in won) if won else None,
        "best_speed": max(speeds, default=None),
        "mean_speed": fmean(speeds) if speeds else None,
        "efficiency": fmean(efficiencies) if efficiencies else None,
        "streak": current,
        "longest_streak": longest,
        "assisted": {"games": len(assisted), "wins": sum(one.is_won for one in assisted)},
        "luck": _describe_luck(counted),
    }


def _streaks(results: Sequence[StoredResult]) -> tuple[int, int]:
    current = longest = 0
    for one in results:
        current = current + 1 if one.is_won else 0
        longest = max(longest, current)
    return current, longest


def _describe_luck(counted: Sequence[StoredResult]) -> dict[str, object]:
    """Return the expected number of mines hit, with its standard deviation, the actual number and the needless risk.

    No-guess boards do not show luck: their layouts are not equally likely, so the exact risk of a move is not the
    probability of hitting a mine. Risk taken there is needless all the same. Nor do fair, kind or cruel boards.
    """
    known = [one for one in counted if one.risk is not None]
    by_luck = [one for one in known if not one.no_guess and _is_laid(one.rules)]
    expected = math.fsum(one.risk or 0.0 for one in by_luck)
    return {
        "games": len(by_luck),
        "expected": expected,
        "spread": math.sqrt(math.fsum(one.variance or 0.0 for one in by_luck)),
        "hits": sum(one.hits or 0 for one in by_luck),
        "unknown_moves": sum(one.unknown or 0 for one in by_luck),
        "judged": len(known),
        "needless": math.fsum(one.needless or 0.0 for one in known),
        "mistakes": sum(one.mistakes or 0 for one in known),
        "waiting": sum(one.waits for one in counted),
        "left_out": sum(one.risk is None and not one.waits for one in counted),
    }


def _is_laid(rules: str) -> bool:
    """Return whether the mines were placed on the first click, by the last word of the rules.

    Parsing the rules would take seconds for thousands of results on custom boards.
    """
    return rules.split()[-1] not in DEALINGS
