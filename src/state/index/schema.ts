/** Raised with every change of the tables: an index of another shape is thrown away and made again from the ledgers. */
export const SCHEMA_VERSION = 9

/**
 * `entries` is slim and holds what lists, lookups and selection need; `lines` has the whole task under the same row.
 * Rows follow the order of filing, so that open tasks, mostly the newest, stand together. `needs` says which row waits
 * for which task, and for which row where the ledger holds it. Everything here is derived from the ledgers and may vanish
 * at any time.
 *
 * The last lines tell the query planner what a large ledger looks like. Without them it takes the ledger's number for as
 * good a key as any, and reads 100,000 rows to find one.
 */
export const SCHEMA = `
CREATE TABLE ledgers (
  lid INTEGER PRIMARY KEY, ledger TEXT NOT NULL UNIQUE, tip TEXT NOT NULL, shards INTEGER NOT NULL, places INTEGER NOT NULL,
  tasks INTEGER NOT NULL, last_number INTEGER NOT NULL
);
CREATE TABLE entries (
  row INTEGER PRIMARY KEY, lid INTEGER NOT NULL, uid TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, key TEXT,
  title TEXT NOT NULL, status TEXT NOT NULL, type TEXT NOT NULL, priority INTEGER NOT NULL, milestone TEXT NOT NULL,
  grp TEXT, parent TEXT, plan_file TEXT, project TEXT, branch TEXT, assigned_agent TEXT, created_at TEXT NOT NULL, closed_at TEXT,
  deleted INTEGER NOT NULL, on_hold INTEGER NOT NULL, unmet INTEGER NOT NULL, running_on TEXT, awaits_commit INTEGER NOT NULL, closed_commit TEXT,
  archived INTEGER NOT NULL
);
CREATE UNIQUE INDEX entries_uid ON entries(lid, uid);
CREATE UNIQUE INDEX entries_place ON entries(lid, place);
CREATE INDEX entries_key ON entries(lid, key COLLATE NOCASE) WHERE key IS NOT NULL;
CREATE INDEX entries_parent ON entries(lid, parent, place) WHERE parent IS NOT NULL;
CREATE INDEX entries_open ON entries(lid, priority, milestone, number) WHERE status = 'pending' AND deleted = 0;
CREATE INDEX entries_ready ON entries(lid, priority, milestone, number) WHERE status = 'pending' AND deleted = 0 AND on_hold = 0 AND unmet = 0;
CREATE INDEX entries_blocked ON entries(lid, priority, milestone, number) WHERE status = 'pending' AND deleted = 0 AND unmet > 0;
CREATE INDEX entries_failed ON entries(lid, parent) WHERE status = 'failed' AND deleted = 0 AND parent IS NOT NULL;
CREATE INDEX entries_branch ON entries(branch) WHERE branch IS NOT NULL;
CREATE INDEX entries_awaiting ON entries(lid) WHERE awaits_commit = 1;
CREATE INDEX entries_commit ON entries(lid, closed_commit) WHERE closed_commit IS NOT NULL;
CREATE TABLE lines (row INTEGER PRIMARY KEY, line TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE needs (
  row INTEGER NOT NULL, needed TEXT NOT NULL, needed_row INTEGER, PRIMARY KEY (row, needed)
) WITHOUT ROWID;
CREATE INDEX needs_needed ON needs(needed);
CREATE TABLE claims (
  lid INTEGER NOT NULL, number INTEGER NOT NULL, uid TEXT NOT NULL, PRIMARY KEY (lid, number, uid)
) WITHOUT ROWID;
CREATE TABLE unreadable (lid INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, why TEXT NOT NULL);
CREATE TABLE artifacts (lid INTEGER NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL, PRIMARY KEY (lid, path)) WITHOUT ROWID;
CREATE TABLE link_tips (lid INTEGER NOT NULL, branch TEXT NOT NULL, tip TEXT NOT NULL, PRIMARY KEY (lid, branch)) WITHOUT ROWID;
CREATE VIEW tasks AS SELECT
  e.number AS id, p.number AS parent_id, e.plan_file, e.project,
  -- A part is on the branch of its whole (004), however deep; a merge may have made a loop of parents.
  coalesce(e.branch, p.branch, (
    WITH RECURSIVE up(parent, branch, height) AS (
      SELECT p.parent, NULL, 0
      UNION ALL
      SELECT above.parent, above.branch, height + 1
      FROM up JOIN entries above ON above.lid = e.lid AND above.uid = up.parent
      WHERE up.branch IS NULL AND height < 100
    ) SELECT branch FROM up WHERE branch IS NOT NULL
  ), ledgers.ledger) AS branch,
  json_extract(l.line, '$.content') AS content,
  e.assigned_agent, CASE WHEN e.status IN ('completed', 'skipped') THEN e.closed_at END AS completed_at, 
  -- The place as a fraction: tasks of one second keep the order in which they were filed.
  substr(e.created_at, 1, 19) || '.' || printf('%08d', e.place) || 'Z' AS created_at,
  e.id AS task_id, e.uid, e.title, e.status, e.type, e.grp AS group_name, e.unmet > 0 AND e.status = 'pending' AS blocked,
  ledgers.ledger
FROM entries e JOIN ledgers USING (lid) JOIN lines l USING (row)
LEFT JOIN entries p ON p.lid = e.lid AND p.uid = e.parent
WHERE e.deleted = 0 AND e.archived = 0;
CREATE VIEW agents AS SELECT
  assigned_agent AS id, CASE WHEN sum(status = 'pending') > 0 THEN 'busy' ELSE 'idle' END AS status,
  min(CASE WHEN status = 'pending' THEN number END) AS current_task
FROM entries WHERE assigned_agent IS NOT NULL AND deleted = 0 GROUP BY assigned_agent;
ANALYZE;
INSERT INTO sqlite_stat1 VALUES
  ('ledgers', 'sqlite_autoindex_ledgers_1', '10 1'),
  ('entries', 'entries_uid', '100000 100000 1'), ('entries', 'entries_place', '100000 100000 1'),
  ('entries', 'entries_key', '10000 10000 1'), ('entries', 'entries_parent', '10000 10000 10 1'),
  ('entries', 'entries_open', '1000 1000 300 100 1'), ('entries', 'entries_ready', '500 500 200 50 1'),
  ('entries', 'entries_blocked', '500 500 200 50 1'), ('entries', 'entries_branch', '1000 1'),
  ('entries', 'entries_awaiting', '10 10'), ('entries', 'entries_commit', '10000 10000 1'),
  ('lines', NULL, '100000'),
  ('needs', 'needs', '50000 2 1'), ('needs', 'needs_needed', '50000 2'),
  ('claims', 'claims', '100000 100000 1 1'), ('artifacts', 'artifacts', '1000 1000 1'),
  ('link_tips', 'link_tips', '10 10 1');
ANALYZE sqlite_schema;
`
