"""Attempts: a line for every puzzle that a visitor has answered. Ratings, streaks and repetition follow from them."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from dataclasses import astuple, dataclass, fields, replace
from typing import TYPE_CHECKING

from sapper.train.attempts import HELPED, Attempt
from sapper.train.kinds import Name
from sapper.train.learner import Learner, learn
from sapper.web.storage.states import as_time

if TYPE_CHECKING:
    import sqlite3

    from sapper.web.storage.store import GameStore


MOST_OWN_ATTEMPTS = 10_000  # of one visitor; when there are more, the oldest tenth makes room
MOST_ATTEMPTS = 2_000_000  # in all
MOST_KNOWN = 200  # visitors whose attempts need not be gone through again

# What a file says of an attempt, in this order.
ATTEMPT_FIELDS = (
    "puzzle", "kind", "board", "seed", "position", "difficulty", "score", "seconds", "answered", "way", "round",
)  # fmt: skip
_COLUMNS = ", ".join(field.name for field in fields(Attempt))
_MARKS = ", ".join("?" for _ in fields(Attempt))


def describe_attempt(attempt: Attempt) -> dict[str, object]:
    """An attempt for a file that people open: its link, and times as such; ``round`` is when its round began."""
    values = attempt.as_plain_values() | {
        "puzzle": str(attempt.name),
        "answered": as_time(attempt.at),
        "round": as_time(attempt.began) if attempt.began else None,
    }
    return {name: values[name] for name in ATTEMPT_FIELDS}


@dataclass(slots=True)
class _Known:
    """A learner as of so many attempts, the last of them at that time."""

    learner: Learner
    n: int
    last: float
    utc_offset: float


class Attempts:
    """The attempts in the file of games. Blocking, for threads; those of one visitor take turns."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._lock = threading.Lock()  # of the next, which visitors share
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def of(self, owner: str, since: float = -math.inf) -> list[Attempt]:
        """The attempts of a visitor after some time, the oldest first."""
        with self._store.reading() as db:
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM attempts WHERE owner = ? AND at > ? ORDER BY at", (owner, since)
            ).fetchall()
        return [Attempt(*row) for row in rows]

    def learner(self, owner: str, utc_offset: float | None = None) -> Learner:
        """What a visitor's attempts say of them; ``utc_offset`` is that of their clock, in seconds, if they tell."""
        with self._store.reading() as db:
            (n,) = db.execute("SELECT count(*) FROM attempts WHERE owner = ?", (owner,)).fetchone()
        with self._lock:
            known = self._known.get(owner)
        if known is not None and utc_offset in (None, known.utc_offset):
            new = self.of(owner, known.last)
            # Another server may have written some, and some may have made room: then they are gone through again.
            if known.n + len(new) == n:
                for attempt in new:
                    known.learner.note(attempt)
                known.n, known.last = n, new[-1].at if new else known.last
                self._keep(owner, known)
                return known.learner
        offset = utc_offset if utc_offset is not None else known.utc_offset if known is not None else 0.0
        # Counted here, not above: another server may have written or removed some since.
        attempts = self.of(owner)
        learner = learn(attempts, utc_offset=offset)
        self._keep(owner, _Known(learner, len(attempts), attempts[-1].at if attempts else -math.inf, offset))
        return learner

    def _keep(self, owner: str, known: _Known) -> None:
        with self._lock:
            self._known[owner] = known
            self._known.move_to_end(owner)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)

    def add(self, owner: str, attempt: Attempt) -> Attempt:
        """Commit an attempt; it comes after all others of the visitor, even if the clock has gone back."""
        with self._store.changing() as db:
            n, last = db.execute("SELECT count(*), max(at) FROM attempts WHERE owner = ?", (owner,)).fetchone()
            if last is not None and attempt.at <= last:
                attempt = replace(attempt, at=math.nextafter(last, math.inf))
            if n >= MOST_OWN_ATTEMPTS:
                _make_room(db, owner, n // 10)
            db.execute(
                f"INSERT INTO attempts (owner, {_COLUMNS}) VALUES (?, {_MARKS})",
                (owner, *astuple(attempt)),
            )
        return attempt

    def solved(self, owner: str) -> set[Name]:
        """The puzzles that a visitor has answered right, with a hint or without."""
        with self._store.reading() as db:
            rows = db.execute(
                "SELECT DISTINCT kind, board, seed, position FROM attempts WHERE owner = ? "
                "AND (score = 1 OR (score >= ? AND kind != 'guess'))",
                (owner, HELPED),
            ).fetchall()
        return {Name.of(*row) for row in rows}

    def make_room(self) -> None:
        """Remove the oldest attempts of all, where there are too many."""
        with self._store.reading() as db:
            found = db.execute(
                "SELECT owner, at FROM attempts ORDER BY at DESC LIMIT -1 OFFSET ?", (MOST_ATTEMPTS,)
            ).fetchall()
        self._store.remove_lines("attempts", ("owner", "at"), found)


def _make_room(db: sqlite3.Connection, owner: str, n: int) -> None:
    db.execute(
        "DELETE FROM attempts WHERE owner = ? AND at <= "
        "(SELECT at FROM attempts WHERE owner = ? ORDER BY at LIMIT 1 OFFSET ?)",
        (owner, owner, n - 1),
    )
