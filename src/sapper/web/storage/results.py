"""Results: a line for every game that was won or lost. They outlast the games, of which only the newest are kept.

The line is written in the transaction of the move that ends the game, so there is no win without it. The risks that
the moves took are worked out later, in a process; until then the line keeps the record of the game.

What the results of a visitor add up to: by board and in all, with the luck there was in them.

Only games without help count; those with help are counted beside them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from sapper.rules import DEALINGS
from sapper.statistics import wilson
from sapper.web.storage.states import as_time

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from sapper.web.storage.store import GameStore


MOST_OWN_RESULTS = 5_000  # of one visitor; the oldest make room
MOST_RESULTS = 1_000_000  # in all


class Ending(NamedTuple):
    """What a game came to, as far as the store does not know it."""

    bbbv: int | None
    clicks: int
    record: str | None  # for whoever works out the risks; None where nobody should


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was won or lost."""

    game: str
    rules: str
    no_guess: bool
    daily: str | None
    outcome: str
    seconds: float
    bbbv: int | None  # None: it ended before mines were laid
    clicks: int
    assisted: bool  # with help, a move taken back, or on a board that was known
    ended: float
    # Worked out of the moves; None: not yet, or never.
    risk: float | None  # chances of hitting a mine, added up over the moves
    variance: float | None  # of the number of mines hit, if the risks are right
    needless: float | None  # the part of the risk beyond the least that there was
    hits: int | None  # mines hit by moves whose risk is known
    mistakes: int | None  # openings of certain mines, and flags on certainly safe cells
    unknown: int | None  # moves whose risk was too hard to compute
    waits: bool  # for its risks to be worked out

    @property
    def is_won(self) -> bool:
        """Whether it was won."""
        return self.outcome == "won"

    @property
    def speed(self) -> float | None:
        """3BV per second of a win."""
        return self.bbbv / self.seconds if self.is_won and self.bbbv and self.seconds > 0 else None


class Appraised(NamedTuple):
    """The risks that a game's moves took."""

    risk: float | None
    variance: float | None
    needless: float | None
    hits: int | None
    mistakes: int | None
    unknown: int | None


NOTHING = Appraised(None, None, None, None, None, None)
_STORED = ", ".join(name for name in Result.__slots__ if name != "waits")
_FLAGS = [Result.__slots__.index(name) for name in ("no_guess", "assisted", "waits")]
_ASSISTED = "(helped OR undone OR seed_given)"


def add_result(db: sqlite3.Connection, game_id: str, ending: Ending, now: float) -> None:
    """Write down how a game ended; for transactions of the store.

    The first ending stands: a loss that is taken back was one. Games that count for nothing leave nothing.
    """
    db.execute(
        "INSERT OR IGNORE INTO results (game, owner, rules, no_guess, daily, outcome, seconds, bbbv, clicks, assisted, "
        f"ended, record) SELECT id, owner, rules, no_guess, daily, outcome, seconds, ?, ?, {_ASSISTED}, ?, "
        f"CASE WHEN {_ASSISTED} THEN NULL ELSE ? END FROM games "
        "WHERE id = ? AND NOT played_on AND outcome IN ('won', 'lost')",
        (ending.bbbv, ending.clicks, now, ending.record, game_id),
    )


class Standing(NamedTuple):
    """What a visitor had achieved on a kind of board before a game."""

    games: int
    wins: int
    streak: int  # wins in a row
    best_seconds: float | None
    best_speed: float | None  # 3BV per second


class Results:
    """The results in the file of games. Blocking, for threads."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def of(self, owner: str) -> list[Result]:
        """All results of a visitor, the oldest first."""
        with self._store.reading() as db:
            rows = db.execute(
                f"SELECT {_STORED}, record IS NOT NULL FROM results WHERE owner = ? ORDER BY ended, game", (owner,)
            ).fetchall()
        return [_of_row(row) for row in rows]

    def of_daily(self, owner: str) -> list[Result]:
        """The results of a visitor on daily boards."""
        with self._store.reading() as db:
            rows = db.execute(
                f"SELECT {_STORED}, record IS NOT NULL FROM results WHERE owner = ? AND daily IS NOT NULL "
                "ORDER BY ended, game",
                (owner,),
            ).fetchall()
        return [_of_row(row) for row in rows]

    def standing(self, game_id: str) -> tuple[bool, Standing] | None:
        """Whether a game counts, and how its player stood before it; None if it left no result."""
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
        return not assisted, Standing(
            len(before),
            len(won),
            streak,
            min((seconds for seconds, _ in won), default=None),
            max((bbbv / seconds for seconds, bbbv in won if bbbv and seconds > 0), default=None),
        )

    def next_waiting(self, owner: str) -> tuple[str, str] | None:
        """A game whose risks are to be worked out, the newest first: its name and its record."""
        with self._store.reading() as db:
            row: tuple[str, str] | None = db.execute(
                "SELECT game, record FROM results WHERE owner = ? AND record IS NOT NULL ORDER BY ended DESC LIMIT 1",
                (owner,),
            ).fetchone()
        return row

    def appraise(self, game_id: str, found: Appraised) -> None:
        """Keep the risks that were worked out."""
        with self._store.changing() as db:
            db.execute(
                "UPDATE results SET risk = ?, variance = ?, needless = ?, hits = ?, mistakes = ?, unknown = ?, "
                "record = NULL WHERE game = ?",
                (*found, game_id),
            )

    def make_room(self, owner: str | None = None) -> None:
        """Remove the oldest results of a visitor who has too many; without one, of all together."""
        which = "TRUE" if owner is None else "owner = ?"
        values = (MOST_RESULTS,) if owner is None else (owner, MOST_OWN_RESULTS)
        with self._store.reading() as db:
            found = db.execute(
                f"SELECT game FROM results WHERE {which} ORDER BY ended DESC LIMIT -1 OFFSET ?", values
            ).fetchall()
        self._store.remove_lines("results", ("game",), found)

    # -- daily boards -------------------------------------------------------------------------------------

    def daily_layout(self, name: str) -> str | None:
        """The layout of a daily board, if it was found already."""
        with self._store.reading() as db:
            row = db.execute("SELECT layout FROM daily_layouts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def keep_daily_layout(self, name: str, layout: str) -> None:
        """Keep the layout of a daily board. The first that is kept stays: everybody gets the same."""
        with self._store.changing() as db:
            db.execute("INSERT OR IGNORE INTO daily_layouts (name, layout) VALUES (?, ?)", (name, layout))


def _of_row(row: tuple[object, ...]) -> Result:
    return Result(*(bool(value) if place in _FLAGS else value for place, value in enumerate(row)))  # type: ignore[arg-type]


# What is told of a result, in this order.
FIELDS = (
    "game", "rules", "no_guess", "daily", "outcome", "seconds", "3bv", "clicks", "speed", "assisted", "ended", "risk",
    "needless", "mistakes",
)  # fmt: skip
_SLOTS = {"3bv": "bbbv"}  # where a name is not one in Python
MOST_TOLD = 1_000  # results that are told one by one, the newest


def describe_results(results: Sequence[Result]) -> dict[str, object]:
    """Everything there is to say about results, the oldest of which come first."""
    boards: dict[tuple[str, bool, bool], list[Result]] = {}
    for one in results:
        boards.setdefault((one.rules, one.no_guess, one.daily is not None), []).append(one)
    # The board that is played most comes first.
    ordered = sorted(boards.items(), key=lambda item: (-len(item[1]), item[0]))
    return {
        "all": _describe(results),
        "boards": [
            {"rules": rules, "no_guess": no_guess, "daily": is_daily, **_describe(played)}
            for (rules, no_guess, is_daily), played in ordered
        ],
        "results": [describe_result(one) for one in results[-MOST_TOLD:]],
    }


def describe_result(one: Result) -> dict[str, object]:
    """One result in plain values."""
    told: dict[str, object] = {name: getattr(one, _SLOTS.get(name, name)) for name in FIELDS}
    return told | {"seconds": round(one.seconds, 3), "ended": as_time(one.ended)}


def _describe(results: Sequence[Result]) -> dict[str, object]:
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


def _streaks(results: Sequence[Result]) -> tuple[int, int]:
    current = longest = 0
    for one in results:
        current = current + 1 if one.is_won else 0
        longest = max(longest, current)
    return current, longest


def _describe_luck(counted: Sequence[Result]) -> dict[str, object]:
    """The mines that the risks promised, with their spread, beside those that were hit; and what was needless.

    A board that needs no guess says nothing of luck: its layouts are not equally likely, so the exact risk of a move is
    not the chance of hitting a mine on it. Whatever risk was taken there was needless all the same. A fair, kind or
    cruel board does not leave it to luck what a guess meets.
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
    """Whether the mines of a game were laid beforehand.

    The last word says so. To read all of the rules would take seconds where thousands of results are on boards of
    one's own.
    """
    return rules.split()[-1] not in DEALINGS
