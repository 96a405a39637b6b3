/** The layout of the state database. `user_version` tells which one a file has; another version is set aside. */
export const schemaVersion = 4;

export const schemaSql = `
CREATE TABLE baseline (
  cluster TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (cluster, key)
) WITHOUT ROWID;
CREATE TABLE drift (
  id INTEGER PRIMARY KEY,
  cluster TEXT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  detected_at TEXT NOT NULL,
  corrected_at TEXT
);
CREATE INDEX drift_by_time ON drift (cluster, detected_at);
CREATE TABLE approval (
  id INTEGER PRIMARY KEY,
  hold_id TEXT NOT NULL,
  cluster TEXT NOT NULL,
  approved_by TEXT NOT NULL,
  approved_at TEXT NOT NULL,
  covers TEXT NOT NULL,
  ended_at TEXT
);
CREATE INDEX approval_by_hold ON approval (hold_id);
CREATE TABLE unmatched (cluster TEXT NOT NULL, generator TEXT NOT NULL, since_ms INTEGER NOT NULL, PRIMARY KEY (cluster, generator)) WITHOUT ROWID;
CREATE TABLE cluster (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE server (cluster TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rendering (name TEXT PRIMARY KEY, value BLOB NOT NULL, turn INTEGER NOT NULL);
CREATE INDEX rendering_by_turn ON rendering (turn);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
