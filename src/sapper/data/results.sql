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
