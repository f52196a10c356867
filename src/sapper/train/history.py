"""A learner's history: the attempts that count, in SQLite, and what follows from them.

The web app keeps every visitor's history in its file of games; `HistoryFile` is the terminal's. Both follow one rule:
an attempt counts if it is the first at its puzzle or if the puzzle was due for repetition. Of the others, only the
first right answer in free training is stored, so that a lesson can be finished after a mistake.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from sapper.errors import InputError, StoreError
from sapper.train.attempts import HELPED, Attempt
from sapper.train.kinds import Name
from sapper.train.learner import Learner

TABLE = """
CREATE TABLE attempts (
    owner TEXT NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, board TEXT NOT NULL, seed INTEGER,
    difficulty INTEGER NOT NULL, score REAL NOT NULL, seconds REAL NOT NULL, way TEXT NOT NULL, began REAL NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (owner, at)
) WITHOUT ROWID
"""
MAX_ATTEMPTS = 10_000  # per owner; beyond it, the oldest tenth is removed

_COLUMNS = ", ".join(field.name for field in fields(Attempt))
_INSERT = f"INSERT INTO attempts (owner, {_COLUMNS}) VALUES (?, {', '.join('?' for _ in fields(Attempt))})"


class Database(Protocol):
    """A database with the table of attempts."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a connection for queries."""

    def changing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a connection within a transaction: all of it is committed, or nothing."""


class Kept(NamedTuple):
    """What became of an attempt."""

    counts: bool  # the first at its puzzle, or due
    learner: Learner  # with the attempt
    rating_before: float | None  # None if the attempt is not rated


class History:
    """The attempts of one owner. It blocks; calls for one owner must not overlap."""

    def __init__(self, database: Database, owner: str = "") -> None:
        self._database = database
        self._owner = owner
        self._learner = Learner()
        self._utc_offset = 0.0
        self._n = 0  # attempts that the learner includes
        self._last = -math.inf  # time of the last of them

    def attempts(self, since: float = -math.inf) -> list[Attempt]:
        """Return the attempts after a time, oldest first."""
        with self._database.reading() as db:
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM attempts WHERE owner = ? AND at > ? ORDER BY at", (self._owner, since)
            ).fetchall()
        return [Attempt(*row) for row in rows]

    def learner(self, utc_offset: float | None = None) -> Learner:
        """Return what the attempts add up to; ``utc_offset`` is the learner's, in seconds, if it is known."""
        with self._database.reading() as db:
            (n,) = db.execute("SELECT count(*) FROM attempts WHERE owner = ?", (self._owner,)).fetchone()
        new = self.attempts(self._last)
        # Another process may have added or removed attempts: then read all again.
        if self._n + len(new) != n or utc_offset not in (None, self._utc_offset):
            self._utc_offset = self._utc_offset if utc_offset is None else utc_offset
            self._learner, self._n, self._last = Learner(self._utc_offset), 0, -math.inf
            new = self.attempts()
        for attempt in new:
            self._learner.note(attempt)
        self._n += len(new)
        self._last = new[-1].at if new else self._last
        return self._learner

    def solved(self) -> set[Name]:
        """Return the puzzles that were answered right, with a hint or without."""
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT DISTINCT kind, board, seed, position FROM attempts WHERE owner = ? "
                "AND (score = 1 OR (score >= ? AND kind != 'guess'))",
                (self._owner, HELPED),
            ).fetchall()
        return {Name.of(*row) for row in rows}

    def record(self, attempt: Attempt) -> Kept:
        """Store an attempt if it counts; see the top of this file."""
        before = self.learner().overall.rating.rating, len(self._learner.overall.points)
        counts = _counts(self._learner, attempt)
        if counts or (attempt.way == "free" and attempt.is_right and attempt.name not in self.solved()):
            self.add(attempt)
        return _kept(counts, before, self.learner())

    def note(self, attempt: Attempt) -> Kept:
        """Count an attempt without storing it, for a session whose file cannot be written."""
        before = self._learner.overall.rating.rating, len(self._learner.overall.points)
        if counts := _counts(self._learner, attempt):
            self._learner.note(attempt)
        return _kept(counts, before, self._learner)

    def add(self, attempt: Attempt) -> Attempt:
        """Commit an attempt; it comes after all others of the owner, even if the clock has gone back."""
        with self._database.changing() as db:
            n, last = db.execute("SELECT count(*), max(at) FROM attempts WHERE owner = ?", (self._owner,)).fetchone()
            if last is not None and attempt.at <= last:
                attempt = replace(attempt, at=math.nextafter(last, math.inf))
            if n >= MAX_ATTEMPTS:
                db.execute(
                    "DELETE FROM attempts WHERE owner = ? AND at <= "
                    "(SELECT at FROM attempts WHERE owner = ? ORDER BY at LIMIT 1 OFFSET ?)",
                    (self._owner, self._owner, n // 10 - 1),
                )
            db.execute(_INSERT, (self._owner, *astuple(attempt)))
        return attempt


def _counts(learner: Learner, attempt: Attempt) -> bool:
    return attempt.name not in learner.seen or attempt.name in set(learner.schedule.due(attempt.at))


def _kept(counts: bool, before: tuple[float, int], learner: Learner) -> Kept:
    rating, n_rated = before
    return Kept(counts, learner, rating if len(learner.overall.points) > n_rated else None)


class HistoryFile:
    """The terminal's database: a file that is created with the first answer.

    Answers stored by an earlier version as lines of JSON (``training.jsonl``) are imported once.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = _default_path() if path is None else path
        self.n_unreadable = 0  # lines of the old file, if it was just imported
        self._old = self.path.with_suffix(".jsonl")

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a connection for queries; no file is created if there is nothing to read."""
        return self._open(":memory:" if not self.exists() else self.path)

    def changing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a connection within a transaction, which is on disk when the context ends."""
        return self._open(self.path)

    def exists(self) -> bool:
        """Return whether any answers are stored."""
        return self.path.exists() or self._old.exists()

    def forget(self) -> None:
        """Delete all answers."""
        try:
            for path in (self.path, self._old):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{path} cannot be deleted: {error.strerror}.") from None

    @contextmanager
    def _open(self, path: Path | str) -> Iterator[sqlite3.Connection]:
        try:
            if path == self.path:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path, timeout=10.0, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE")
                if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                    db.execute(TABLE)
                    db.executemany(_INSERT, (("", *astuple(one)) for one in _that_count(self._read_old())))
                    db.execute("PRAGMA user_version = 1")
                yield db
                db.execute("COMMIT")
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror}.") from None
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be used: {error}.") from None

    def _read_old(self) -> list[Attempt]:
        self.n_unreadable = 0
        if not self._old.exists():
            return []
        found = []
        for line in self._old.read_bytes().splitlines():
            if line.strip():
                try:
                    found.append(Attempt.from_plain_values(json.loads(line)))
                except (InputError, ValueError):
                    self.n_unreadable += 1
        return found


def _that_count(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Return the attempts that would have counted, at strictly increasing times."""
    learner, found = Learner(), list[Attempt]()
    for attempt in sorted(attempts, key=lambda one: one.at):
        if _counts(learner, attempt):
            if found and attempt.at <= found[-1].at:
                attempt = replace(attempt, at=math.nextafter(found[-1].at, math.inf))
            learner.note(attempt)
            found.append(attempt)
    return found


def _default_path() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("sapper")) / "training.sqlite"
