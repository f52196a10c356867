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
