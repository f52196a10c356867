"""Games in one SQLite file: the rules, the seed and the moves of each.

Every move is committed before the response. The operating system has the data when a commit returns, so a killed
server loses nothing. A power cut may lose the last moves but not the file: waiting for the disk at every click would
take milliseconds.
"""

from __future__ import annotations

import json
import math
import queue
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from sapper.errors import StoreError
from sapper.play.record import Move
from sapper.train.history import TABLE
from sapper.web.http.responses import Refusal
from sapper.web.http.sessions import new_token
from sapper.web.storage.results import GameEnding, add_result

# Migrations: what each version of the schema adds to the one before. Existing rows are never rewritten.
_STEPS = (
    *((files("sapper.data") / name).read_text("utf-8") for name in ("games.sql", "results.sql")),
    TABLE,
    "ALTER TABLE games ADD COLUMN n_given INTEGER NOT NULL DEFAULT 0",
    """
ALTER TABLE games ADD COLUMN practice TEXT;
ALTER TABLE daily_layouts ADD COLUMN seed INTEGER;
CREATE INDEX results_of_daily ON results (daily, outcome, assisted, seconds) WHERE daily IS NOT NULL
""",
)
SCHEMA = len(_STEPS)


def prepare(db: sqlite3.Connection) -> bool:
    """Create the tables or migrate older ones; return False for another kind of file or a later version."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    (n_tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version > SCHEMA or (version == 0) != (n_tables == 0):
        return False
    for step in _STEPS[version:]:
        for statement in step.split(";\n"):
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA}")
    return True


MAX_GAMES = 100_000  # in all
MAX_ATTEMPTS = 2_000_000  # at puzzles, in all
MAX_OWN_GAMES = 200  # of one visitor; the oldest make room
# At the limit, games untouched for this long are removed. Never before: otherwise a clock that is a year ahead would
# remove every game.
SECONDS_KEPT = 180 * 24 * 3600.0
SECONDS_BETWEEN_CHECKPOINTS = 2.0
# Games removed in one transaction; each may have as many moves as `check_moves` allows.
MAX_REMOVED_GAMES = 20
MAX_REMOVED_LINES = 400
# The longest pause that counts on a game's clock, in seconds.
LONGEST_PAUSE = 600.0


@dataclass(frozen=True, slots=True)
class Deal:
    """Options of a new game; see `StoredGame`."""

    seed_given: bool = False
    no_guess: bool = False
    layout: str | None = None
    daily: str | None = None
    played_on: bool = False
    practice: str | None = None


PLAIN = Deal()


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game in the store, without its moves."""

    id: str
    owner: str
    rules: str
    seed: int
    seed_given: bool  # chosen, and therefore known, by the visitor
    no_guess: bool
    layout: str | None  # unless it follows from rules, seed and first cell
    outcome: str
    undone: bool  # whether a move was ever undone
    version: int  # incremented with every change
    n_moves: int
    seconds: float  # on the clock at the last move
    started: float  # seconds since 1970
    touched: float
    helped: bool = False  # whether its player had a hint or saw probabilities
    daily: str | None = None  # the day and the level of a daily board
    played_on: bool = False  # continued from a position of another game; does not count
    n_given: int = 0  # of its moves, the first, which lead to that position
    practice: str | None = None  # the day and the level of a daily board that was tried before

    @property
    def n_own(self) -> int:
        """The number of moves that the player made."""
        return self.n_moves - self.n_given

    def clock(self, now: float) -> float:
        """Return the seconds played: from the first move to the end, or to now."""
        if self.n_own == 0 or self.outcome != "playing":
            return self.seconds
        return self.seconds + _pause(self.touched, now)


_COLUMNS = ", ".join(StoredGame.__slots__)
_ADD_MOVE = "INSERT INTO moves (game, number, action, row, col) VALUES (?, ?, ?, ?, ?)"
# One statement for all moves: between two, a thread waits for Python's global lock, and beside busy threads 80,000
# statements take 20 seconds instead of 0.2.
_ADD_MOVES = (
    "INSERT INTO moves (game, number, action, row, col) SELECT ?, key, json_extract(value, '$[0]'), "
    "json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)"
)
_FLAGS = [
    StoredGame.__slots__.index(name) for name in ("seed_given", "no_guess", "undone", "helped", "played_on")
]  # 0 or 1 in the file


class GameStore:
    """The open file, for threads and never for the event loop; several servers may share it.

    Writers take turns. Readers have their own connections and never wait.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()  # for the writing connection and the number of games
        self._readers: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()  # idle connections
        self._closing = threading.Event()
        self._tidying = threading.Thread(target=self._tidy, name="checkpoints", daemon=True)
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._connect(10.0)
        try:
            with self._explained():
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.execute("PRAGMA foreign_keys = ON")
                self._db.execute("PRAGMA wal_autocheckpoint = 0")
                with self._change():
                    if not prepare(self._db):
                        raise StoreError(f"{self.path} is not a file of games that this version of Sapper can read.")
                    # Counted once: with another server on the same file the limit is a little less strict.
                    (self._n_games,) = self._db.execute("SELECT count(*) FROM games").fetchone()
        except BaseException:
            self._db.close()
            raise
        self._tidying.start()

    def _connect(self, timeout: float) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=timeout, isolation_level=None, check_same_thread=False)

    def _tidy(self) -> None:
        """Checkpoint the write-ahead log regularly, so that no player waits for the disk."""
        db: sqlite3.Connection | None = None
        while not self._closing.wait(SECONDS_BETWEEN_CHECKPOINTS):
            # What fails now is tried again; nothing is lost meanwhile.
            with suppress(sqlite3.Error):
                db = db or self._connect(0.1)
                db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        if db is not None:
            db.close()

    def close(self) -> None:
        """Close the file."""
        self._closing.set()
        self._tidying.join()
        with self._lock:
            self._db.close()
        while not self._readers.empty():
            self._readers.get().close()

    # -- for other tables in the same file -----------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading."""
        with self._explained():
            try:
                db = self._readers.get_nowait()
            except queue.Empty:
                db = self._connect(10.0)
            try:
                yield db
            finally:
                self._readers.put(db)

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for one transaction."""
        with self._lock, self._explained(), self._change():
            yield self._db

    def remove_lines(self, table: str, columns: tuple[str, ...], keys: Sequence[tuple[object, ...]]) -> None:
        """Delete rows by their keys, a few at a time, so that moves come in between."""
        # OR of conditions uses the primary key; for a list of tuples, SQLite scans the whole table.
        one = f"({' AND '.join(f'{name} = ?' for name in columns)})"
        for first in range(0, len(keys), MAX_REMOVED_LINES):
            some = keys[first : first + MAX_REMOVED_LINES]
            with self.changing() as db:
                db.execute(
                    f"DELETE FROM {table} WHERE {' OR '.join([one] * len(some))}",
                    [value for key in some for value in key],
                )

    def trim_attempts(self) -> None:
        """Remove the oldest attempts at puzzles of all visitors if there are too many."""
        with self.reading() as db:
            surplus = db.execute(
                "SELECT owner, at FROM attempts ORDER BY at DESC LIMIT -1 OFFSET ?", (MAX_ATTEMPTS,)
            ).fetchall()
        self.remove_lines("attempts", ("owner", "at"), surplus)

    # -- reading ------------------------------------------------------------------------------------------

    def data_version(self) -> int:
        """Return a number that changes when another server has written to the file."""
        with self._lock, self._explained():
            (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    def find(self, game_id: str, owner: str) -> StoredGame:
        """Return a game of this visitor. Raises `Refusal` for those of others."""
        with self.reading() as db:
            row = db.execute(f"SELECT {_COLUMNS} FROM games WHERE id = ? AND owner = ?", (game_id, owner)).fetchone()
        if row is None:
            raise Refusal(404, "There is no such game.")
        return _of_row(row)

    def list_recent(self, owner: str, n: int = 50, *, played: bool = False) -> list[StoredGame]:
        """Return the games of a visitor, the newest first; if ``played``, those with a move of their own."""
        with self.reading() as db:
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM games WHERE owner = ? AND n_moves >= n_given + ? "
                "ORDER BY started DESC LIMIT ?",
                (owner, int(played), n),
            ).fetchall()
        return [_of_row(row) for row in rows]

    def moves(self, game_id: str) -> list[Move]:
        """Return the moves of a game, in order."""
        with self.reading() as db:
            rows = db.execute(
                "SELECT action, row, col FROM moves WHERE game = ? ORDER BY number", (game_id,)
            ).fetchall()
        return [Move(action, row, col) for action, row, col in rows]

    # -- writing ------------------------------------------------------------------------------------------

    def create(self, owner: str, rules: str, seed: int, deal: Deal = PLAIN, moves: Sequence[Move] = ()) -> StoredGame:
        """Begin a game, with the moves so far if it continues another."""
        now = time.time()
        told = json.dumps([(move.action, move.row, move.col) for move in moves])
        with self._lock:
            with self._explained(), self._change():
                removed = self._make_room(owner, now)
                # If the clock was set back, the newest game must still be the last to be removed.
                (latest,) = self._db.execute("SELECT max(started) FROM games WHERE owner = ?", (owner,)).fetchone()
                started = now if latest is None else max(now, math.nextafter(latest, math.inf))
                game = StoredGame(
                    new_token(),
                    owner,
                    rules,
                    seed,
                    deal.seed_given,
                    deal.no_guess,
                    deal.layout,
                    outcome="playing",
                    undone=False,
                    version=0,
                    n_moves=len(moves),
                    seconds=0.0,
                    started=started,
                    touched=now,
                    daily=deal.daily,
                    played_on=deal.played_on,
                    n_given=len(moves),
                    practice=deal.practice,
                )
                self._db.execute(
                    f"INSERT INTO games ({_COLUMNS}) VALUES ({', '.join('?' * len(StoredGame.__slots__))})",
                    tuple(getattr(game, name) for name in StoredGame.__slots__),
                )
                self._db.execute(_ADD_MOVES, (game.id, told))
            self._n_games += 1 - removed
        return game

    def _make_room(self, owner: str, now: float) -> int:
        """Remove the oldest games of a visitor at the limit, and abandoned ones of others; return how many."""
        removed = self._db.execute(
            "DELETE FROM games WHERE id IN "
            "(SELECT id FROM games WHERE owner = ? ORDER BY started DESC LIMIT -1 OFFSET ?)",
            (owner, MAX_OWN_GAMES - 1),
        ).rowcount
        if self._n_games - removed >= MAX_GAMES:
            removed += self._db.execute(
                "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE touched < ? LIMIT ?)",
                (now - SECONDS_KEPT, MAX_REMOVED_GAMES),
            ).rowcount
        if self._n_games - removed >= MAX_GAMES:
            raise Refusal(503, "Game storage is full. Try again later.")
        return removed

    def add_move(self, game: StoredGame, move: Move, outcome: str, ending: GameEnding | None = None) -> StoredGame:
        """Commit a move, and the result of the game if it is over, in one transaction."""
        now = time.time()
        with self._lock, self._explained(), self._change():
            seconds = self._advance(game, "n_moves = n_moves + 1, outcome = ?", (outcome,), now)
            self._db.execute(_ADD_MOVE, (game.id, game.n_moves, move.action, move.row, move.col))
            if ending is not None:
                add_result(self._db, game.id, ending, now)
        # As it is in the file now: had another server changed it, this would have raised.
        return replace(
            game, version=game.version + 1, n_moves=game.n_moves + 1, outcome=outcome, seconds=seconds, touched=now
        )

    def undo(self, game: StoredGame, outcome: str) -> StoredGame:
        """Remove the last move."""
        with self._lock, self._explained(), self._change():
            self._advance(game, "n_moves = n_moves - 1, undone = 1, outcome = ?", (outcome,), time.time())
            self._db.execute("DELETE FROM moves WHERE game = ? AND number = ?", (game.id, game.n_moves - 1))
            return self._again(game)

    def forget(self, owner: str) -> list[str]:
        """Remove all games, moves, results and attempts of a visitor; return the ids of the games."""
        names: list[str] = []
        while True:
            # A few games at a time, so that moves come in between.
            with self._lock:
                with self._explained(), self._change():
                    found = self._db.execute(
                        "SELECT id FROM games WHERE owner = ? LIMIT ?", (owner, MAX_REMOVED_GAMES)
                    ).fetchall()
                    self._db.executemany("DELETE FROM games WHERE id = ?", found)
                    if not found:
                        self._db.execute("DELETE FROM results WHERE owner = ?", (owner,))
                        self._db.execute("DELETE FROM attempts WHERE owner = ?", (owner,))
                self._n_games -= len(found)
            if not found:
                return names
            names += [name for (name,) in found]

    def find_daily(self, owner: str, daily: str) -> StoredGame | None:
        """Return the game of a visitor on a daily board, if there is one."""
        with self.reading() as db:
            row = db.execute(
                f"SELECT {_COLUMNS} FROM games WHERE owner = ? AND daily = ? ORDER BY started LIMIT 1", (owner, daily)
            ).fetchone()
        return None if row is None else _of_row(row)

    def note_help(self, game: StoredGame) -> None:
        """Commit that the player had help. The version stays, since moves do not depend on it."""
        if not game.helped:
            with self._lock, self._explained(), self._change():
                self._db.execute("UPDATE games SET helped = 1 WHERE id = ?", (game.id,))

    def lay(self, game: StoredGame, layout: str) -> StoredGame:
        """Commit the layout of a game whose first cell is about to be opened."""
        with self._lock, self._explained(), self._change():
            self._advance(game, "layout = ?", (layout,), game.touched)
            return self._again(game)

    def _advance(self, game: StoredGame, changes: str, values: tuple[object, ...], now: float) -> float:
        """Update a game if its version is current; return the seconds on its clock."""
        seconds = game.seconds + (_pause(game.touched, now) if game.n_own and game.outcome == "playing" else 0.0)
        changed = self._db.execute(
            f"UPDATE games SET version = version + 1, seconds = ?, touched = ?, {changes} WHERE id = ? AND version = ?",
            (seconds, now, *values, game.id, game.version),
        )
        if changed.rowcount == 0:
            raise Refusal(409, "The game has changed. Reload it and try again.")
        return seconds

    def _again(self, game: StoredGame) -> StoredGame:
        return _of_row(self._db.execute(f"SELECT {_COLUMNS} FROM games WHERE id = ?", (game.id,)).fetchone())

    @contextmanager
    def _change(self) -> Iterator[None]:
        """A transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            # A commit may fail too, on a full disk; some failures have already rolled back.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"Games cannot be stored now ({error}); nothing was changed.") from None
        except OSError as error:
            raise StoreError(f"Games cannot be stored in {self.path}: {error.strerror or error}.") from None


def _pause(since: float, now: float) -> float:
    return min(max(now - since, 0.0), LONGEST_PAUSE)


def _of_row(row: tuple[object, ...]) -> StoredGame:
    return StoredGame(*(bool(value) if place in _FLAGS else value for place, value in enumerate(row)))  # type: ignore[arg-type]
