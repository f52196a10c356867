CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL, agent TEXT NOT NULL, version INTEGER NOT NULL, source TEXT NOT NULL,
    restart_opening INTEGER NOT NULL, seed INTEGER NOT NULL, chunk_size INTEGER NOT NULL,
    UNIQUE (rules, agent, version, source, restart_opening, seed, chunk_size)
);
CREATE TABLE chunks (
    run INTEGER NOT NULL REFERENCES runs (id), number INTEGER NOT NULL, n_games INTEGER NOT NULL,
    games BLOB NOT NULL, cpu_seconds REAL NOT NULL,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE plans (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL, made TEXT NOT NULL,
    UNIQUE (kind, settings)
);
