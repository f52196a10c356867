"""The tables of the file of games, and how a file of an earlier version is brought up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

# What each version added to the one before. A file is brought forward step by step; nothing in it is ever rewritten.
_STEPS = (
    """
CREATE TABLE games (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, rules TEXT NOT NULL, seed INTEGER NOT NULL, seed_given INTEGER NOT NULL,
    no_guess INTEGER NOT NULL, layout TEXT, outcome TEXT NOT NULL, undone INTEGER NOT NULL, version INTEGER NOT NULL,
    n_moves INTEGER NOT NULL, seconds REAL NOT NULL, started REAL NOT NULL, touched REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX games_of_owner ON games (owner, started);
CREATE TABLE moves (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    action TEXT NOT NULL, row INTEGER NOT NULL, col INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID
""",
    """
ALTER TABLE games ADD COLUMN helped INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN daily TEXT;
ALTER TABLE games ADD COLUMN played_on INTEGER NOT NULL DEFAULT 0;
CREATE TABLE results (
    game TEXT PRIMARY KEY, owner TEXT NOT NULL, rules TEXT NOT NULL, no_guess INTEGER NOT NULL, daily TEXT,
    outcome TEXT NOT NULL, seconds REAL NOT NULL, bbbv INTEGER, clicks INTEGER NOT NULL, assisted INTEGER NOT NULL,
    ended REAL NOT NULL, record TEXT, risk REAL, variance REAL, needless REAL, hits INTEGER, mistakes INTEGER,
    unknown INTEGER
) WITHOUT ROWID;
CREATE INDEX results_of_owner ON results (owner, ended);
CREATE TABLE daily_layouts (name TEXT PRIMARY KEY, layout TEXT NOT NULL) WITHOUT ROWID
""",
    """
CREATE TABLE attempts (
    owner TEXT NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, board TEXT NOT NULL, seed INTEGER,
    difficulty INTEGER NOT NULL, score REAL NOT NULL, seconds REAL NOT NULL, way TEXT NOT NULL, began REAL NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (owner, at)
) WITHOUT ROWID
""",
)
SCHEMA = len(_STEPS)


def prepare(db: sqlite3.Connection) -> bool:
    """Make the tables, or bring older ones up to date; False for a file of something else or of a later version."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    (n_tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version > SCHEMA or (version == 0) != (n_tables == 0):
        return False
    for step in _STEPS[version:]:
        for statement in step.split(";\n"):
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA}")
    return True
