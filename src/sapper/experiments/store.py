"""Results in one SQLite file: every finished chunk is committed at once, and a chunk is never counted twice.

A run is (rules, agent and its version, boards, seed, chunk size); its chunks are numbered. A chunk depends only on the
run and its number, so an interrupted run resumes where it stopped, and its rows are the same as without the
interruption, except for the CPU time.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from sapper.errors import InputError, StoreError
from sapper.experiments.games import Chunk, ChunkResult, Condition, GameResult, Packed, pack, unpack
from sapper.formats.given_boards import GivenBoard
from sapper.play.reading import check_folder

SCHEMA = 1
CHUNK_SIZE = 100
_FIELDS = len(GameResult._fields)

_TABLES = (files("sapper.data") / "experiments.sql").read_text("utf-8")


def default_path() -> Path:
    """Return the default path of the store."""
    return Path(platformdirs.user_data_dir("sapper")) / "results.sqlite"


@dataclass(frozen=True, slots=True)
class Run:
    """A run in the store."""

    id: int
    condition: Condition
    seed: int
    chunk_size: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The games of a run so far, column by column."""

    games: NDArray[np.int32]  # (n, 6) the fields of GameResult
    cpu_seconds: float


class Store:
    """An open store. One writer at a time; readers do not wait for it.

    A missing store is created, unless it ``must_exist``: then opening it writes nothing. The folder of the default
    store is created too; any other must exist.
    """

    def __init__(self, path: Path, timeout: float = 30.0, *, must_exist: bool = False) -> None:
        self.path = path
        with self._explained():
            if must_exist:
                if not path.exists():
                    raise StoreError(f"There is no file of results {path}.")
                if path.is_dir():
                    raise StoreError(f"{path} is a folder, not a file of results.")
                # SQLite treats an empty file as a database without tables, in which we would create ours.
                if path.stat().st_size == 0:
                    raise StoreError(f"{path} is empty, so there are no results in it.")
            elif path == default_path():
                path.parent.mkdir(parents=True, exist_ok=True)
            else:
                check_folder(path)
            if path.is_dir():
                raise StoreError(f"{path} is a folder, not a file of results.")
            if path.exists() and not path.is_file():
                raise StoreError(f"{path} is a device, not a file of results.")
            self._db = sqlite3.connect(path, timeout=timeout, isolation_level=None)
        try:
            with self._explained():
                self._prepare()
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        version, n_tables = self._look()
        if version == 0 and n_tables == 0:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("BEGIN IMMEDIATE")
            # Another process may have been quicker.
            if self._look() == (0, 0):
                for statement in _TABLES.split(";\n"):
                    if statement.strip():
                        self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            self._db.execute("COMMIT")
            version, n_tables = self._look()
        # Nothing is written into any other file.
        if n_tables == 0 or version == 0:
            raise StoreError(f"{self.path} is a database, but not one of results; it was left as it is.")
        if version != SCHEMA:
            raise StoreError(f"{self.path} was written by another version of Sapper (schema {version}, not {SCHEMA}).")
        # A commit is on disk when it returns, so even a power cut loses nothing.
        self._db.execute("PRAGMA synchronous = FULL")

    def _look(self) -> tuple[int, int]:
        """Return the version of the schema and the number of tables: of ours if there are any, else of all."""
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        names = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if version == 0:
            return 0, len(names)
        return version, len(names & {"runs", "chunks", "plans"})

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- writing ------------------------------------------------------------------------------------------

    def open_run(self, condition: Condition, seed: int, chunk_size: int = CHUNK_SIZE) -> Run:
        """Return the run with these properties, which may have chunks already."""
        names = (
            condition.rules, condition.agent, condition.version, condition.source, int(condition.restart_opening),
            seed, chunk_size,
        )  # fmt: skip
        with self._explained():
            # Reading waits for no writer; only a new run is written.
            row = self._find_run(names)
            if row is None:
                self._db.execute(
                    "INSERT OR IGNORE INTO runs (rules, agent, version, source, restart_opening, seed, chunk_size) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    names,
                )
                row = self._find_run(names)
        assert row is not None
        return Run(row[0], condition, seed, chunk_size)

    def _find_run(self, names: tuple[object, ...]) -> tuple[int] | None:
        found: tuple[int] | None = self._db.execute(
            "SELECT id FROM runs WHERE (rules, agent, version, source, restart_opening, seed, chunk_size) "
            "= (?, ?, ?, ?, ?, ?, ?)",
            names,
        ).fetchone()
        return found

    def add(self, run: Run, number: int, result: Packed | ChunkResult) -> None:
        """Commit a finished chunk; an existing one is kept."""
        row = (run.id, number, *(result if isinstance(result, Packed) else pack(result)))
        with self._explained():
            self._db.execute(
                "INSERT INTO chunks (run, number, n_games, games, cpu_seconds) VALUES (?, ?, ?, ?, ?) "
                # A shorter last chunk may grow; nothing else is ever replaced.
                "ON CONFLICT (run, number) DO UPDATE SET n_games = excluded.n_games, games = excluded.games, "
                "cpu_seconds = excluded.cpu_seconds WHERE excluded.n_games > chunks.n_games",
                row,
            )

    def add_plan(self, kind: str, settings: dict[str, object], made: str) -> int:
        """Store a plan, so that it can be resumed; return its number."""
        text = json.dumps(settings, sort_keys=True)
        with self._explained():
            self._db.execute("INSERT OR IGNORE INTO plans (kind, settings, made) VALUES (?, ?, ?)", (kind, text, made))
            found = self._db.execute("SELECT id FROM plans WHERE (kind, settings) = (?, ?)", (kind, text)).fetchone()
        return int(found[0])

    # -- reading ------------------------------------------------------------------------------------------

    def done(self, run: Run) -> dict[int, int]:
        """Return the number of games of each finished chunk, by its number."""
        with self._explained():
            return dict(self._db.execute("SELECT number, n_games FROM chunks WHERE run = ?", (run.id,)).fetchall())

    def parts(self, run: Run, n_games: int | None = None) -> Iterator[Totals]:
        """Yield the games of a run chunk by chunk up to the first gap, at most ``n_games``.

        A run has gaps while it is being played. Games after a gap are left out, so that a game's index always implies
        its seed.
        """
        n_left = n_games
        for number in itertools.count():
            if n_left is not None and n_left <= 0:
                return
            with self._explained():
                row = self._db.execute(
                    "SELECT n_games, games, cpu_seconds FROM chunks WHERE (run, number) = (?, ?)", (run.id, number)
                ).fetchone()
            if row is None:
                return
            n_here, blob, seconds = row
            games = self._unpack(run, number, n_here, blob)
            kept = games if n_left is None else games[:n_left]
            yield Totals(kept, seconds * len(kept) / n_here)
            if n_left is not None:
                n_left -= len(kept)
            if n_here < run.chunk_size:
                return

    def totals(self, run: Run, n_games: int | None = None) -> Totals:
        """Return the games of a run in order up to the first gap, at most ``n_games``."""
        parts = list(self.parts(run, n_games))
        games = np.concatenate([part.games for part in parts]) if parts else np.zeros((0, _FIELDS), dtype=np.int32)
        return Totals(games, sum(part.cpu_seconds for part in parts))

    def runs(self) -> list[tuple[Run, int, float]]:
        """Return all runs with their number of games and CPU time, oldest first."""
        with self._explained():
            rows = self._db.execute(
                "SELECT id, rules, agent, version, source, restart_opening, seed, chunk_size, "
                "coalesce(sum(n_games), 0), coalesce(sum(cpu_seconds), 0.0) "
                "FROM runs LEFT JOIN chunks ON run = id GROUP BY id ORDER BY id"
            ).fetchall()
        return [
            (Run(row[0], Condition(row[1], row[2], row[3], row[4], bool(row[5])), row[6], row[7]), row[8], row[9])
            for row in rows
        ]

    def plans(self) -> list[tuple[int, str, dict[str, object], str]]:
        """Return all plans as (number, kind, settings, time), oldest first."""
        with self._explained():
            rows = self._db.execute("SELECT id, kind, settings, made FROM plans ORDER BY id").fetchall()
        try:
            return [(number, kind, json.loads(settings), made) for number, kind, settings, made in rows]
        except (ValueError, TypeError):
            raise StoreError(f"{self.path} is damaged: a plan in it cannot be read.") from None

    def _unpack(self, run: Run, number: int, n_games: int, blob: bytes) -> NDArray[np.int32]:
        try:
            return unpack(blob, n_games)
        except (ValueError, TypeError):
            raise StoreError(
                f"{self.path} is damaged: chunk {number} of run {run.id} cannot be read; it was left as it is."
            ) from None

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite and the system into one sentence."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(_explain(self.path, error)) from None
        except InputError as error:
            raise StoreError(str(error)) from None
        except OSError as error:
            raise StoreError(f"Results cannot be stored in {self.path}: {error.strerror or error}.") from None


def _explain(path: Path, error: sqlite3.DatabaseError) -> str:
    text = str(error)
    if "locked" in text or "busy" in text:
        return f"{path} is in use by another process; nothing was lost. Try again later."
    if "full" in text:
        return f"The disk is full, so {path} cannot grow; everything committed before is kept."
    if "disk I/O" in text:
        return f"{path} cannot be read or cannot grow ({text}); everything committed before is kept."
    if "not a database" in text or "malformed" in text:
        return f"{path} is damaged or not a file of results ({text}); it was left as it is."
    if "readonly" in text or "unable to open" in text:
        return f"{path} cannot be written ({text})."
    return f"{path}: {text}."


def chunks_to_play(
    run: Run, n_games: int, done: dict[int, int], boards: tuple[GivenBoard, ...] = ()
) -> list[tuple[int, Chunk]]:
    """Return the chunks that a run of ``n_games`` still lacks, with their numbers."""
    wanted = []
    for number, start in enumerate(range(0, n_games, run.chunk_size)):
        size = min(run.chunk_size, n_games - start)
        if done.get(number, 0) < size:
            given = boards[start : start + size]
            wanted.append((number, Chunk(run.condition, run.seed + start, size, given)))
    return wanted
