/**
 * What each version adds to the one before. A store in use is upgraded and keeps its content: unlike the index, leases
 * cannot be made again from the ledger, so they are in a separate file.
 */
export const LIVE_VERSIONS = [
  `
CREATE TABLE leases (
  uid TEXT PRIMARY KEY, ledger TEXT NOT NULL, run TEXT NOT NULL, token INTEGER NOT NULL, holder TEXT NOT NULL,
  machine TEXT NOT NULL, pid INTEGER, start_time TEXT, expires_at TEXT, head TEXT, branch TEXT, path TEXT,
  taken_at TEXT NOT NULL, released_at TEXT
) WITHOUT ROWID;
CREATE INDEX leases_held ON leases(run) WHERE released_at IS NULL;
CREATE TABLE runs (
  run TEXT PRIMARY KEY, uid TEXT NOT NULL, ledger TEXT NOT NULL, number INTEGER NOT NULL, title TEXT NOT NULL, type TEXT NOT NULL,
  attempt INTEGER NOT NULL, agent TEXT NOT NULL, phase TEXT NOT NULL, step TEXT NOT NULL, started_at TEXT NOT NULL,
  ended_at TEXT, outcome TEXT, reason TEXT, last_action TEXT, session TEXT, tokens_in INTEGER NOT NULL DEFAULT 0,
  tokens_out INTEGER NOT NULL DEFAULT 0, cost_usd REAL NOT NULL DEFAULT 0, cancel TEXT
) WITHOUT ROWID;
CREATE INDEX runs_uid ON runs(uid, started_at);
CREATE TABLE changed_files (run TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (run, path)) WITHOUT ROWID;
`,
  // The outcome of the agent's phase, so that a restart does not call the agent again.
  'ALTER TABLE runs ADD COLUMN heard TEXT',
  'ALTER TABLE runs ADD COLUMN turns INTEGER NOT NULL DEFAULT 0',
  'CREATE TABLE phases (run TEXT NOT NULL, fact TEXT NOT NULL, PRIMARY KEY (run, fact)) WITHOUT ROWID',
  'CREATE TABLE agents (name TEXT PRIMARY KEY, client TEXT, added_at TEXT NOT NULL, seen_at TEXT) WITHOUT ROWID',
  `CREATE TABLE matters (
    ledger TEXT NOT NULL, code TEXT NOT NULL, subject TEXT NOT NULL, at TEXT NOT NULL, facts TEXT NOT NULL,
    PRIMARY KEY (ledger, code, subject)
  ) WITHOUT ROWID`,
  `ALTER TABLE leases ADD COLUMN clone TEXT;
  ALTER TABLE leases ADD COLUMN machine_id TEXT;
  ALTER TABLE leases ADD COLUMN boot_id TEXT;
  ALTER TABLE leases ADD COLUMN pid_namespace TEXT;
  ALTER TABLE leases ADD COLUMN beat_at TEXT;
  ALTER TABLE leases ADD COLUMN beat_clock REAL`,
  `CREATE TABLE guards (
    run TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL, start_time TEXT, machine_id TEXT, boot_id TEXT,
    pid_namespace TEXT
  ) WITHOUT ROWID`,
  'ALTER TABLE runs ADD COLUMN filing TEXT',
  'CREATE TABLE moves (move TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE gone_supervisors (run TEXT PRIMARY KEY, start_time TEXT NOT NULL, boot_id TEXT) WITHOUT ROWID',
  `ALTER TABLE leases ADD COLUMN connection TEXT;
  CREATE TABLE connections (
    connection TEXT PRIMARY KEY, client TEXT NOT NULL, worktree TEXT NOT NULL, pid INTEGER, start_time TEXT,
    machine_id TEXT, boot_id TEXT, pid_namespace TEXT, beat_at TEXT, beat_clock REAL
  ) WITHOUT ROWID`,
  `CREATE TABLE landing_checks (
    base TEXT PRIMARY KEY, run TEXT NOT NULL, at TEXT NOT NULL, verifying TEXT NOT NULL, suspects TEXT NOT NULL
  ) WITHOUT ROWID`,
]
