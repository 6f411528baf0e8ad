import type { Database } from 'bun:sqlite'
import { definitions, type Table } from '../describe-table.ts'
import {
  ANSWERS,
  ARTIFACTS,
  CLAIMS,
  CONTAINED,
  ENTRIES,
  FOREIGN_FILES,
  LEDGERS,
  LINES,
  LINK_TIPS,
  NEEDS,
  UNREADABLE,
} from './index-tables.ts'
import { blockedSql, failedSql, finishedSql, heldSql, openSql, pendingSql, readySql } from './status-sql.ts'

/** The tables of this release instead of any others. */
export function replaceTables(db: Database): void {
  const old = db.query(
    "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
  )
  for (const { type, name } of old.all() as { type: string; name: string }[])
    db.run(`DROP ${type} "${name.replaceAll('"', '""')}"`)
  db.run(schema())
}

/** What SQLite finds wrong with the file; null if nothing. */
export function whyUnsound(db: Database): string | null {
  const { quick_check } = db.query('PRAGMA quick_check').get() as { quick_check: string }
  return quick_check === 'ok' ? null : quick_check
}

/** The tables of the index. A change of them raises SCHEMA_VERSION in open-state.ts. */
function schema(): string {
  return tables() + indexes() + views() + STATISTICS
}

function tables(): string {
  return `
CREATE TABLE ledgers (${definitions(LEDGERS)});
CREATE TABLE entries (${definitions(ENTRIES)});
CREATE TABLE lines (${definitions(LINES)});
CREATE TABLE unreadable (${definitions(UNREADABLE)});
${keyed(NEEDS, 'row, needed')}
${keyed(CLAIMS, 'lid, number, uid')}
${keyed(ARTIFACTS, 'lid, path')}
${keyed(FOREIGN_FILES, 'lid, path')}
${keyed(LINK_TIPS, 'lid, branch')}
${keyed(CONTAINED, 'commit_id, base')}
${keyed(ANSWERS, 'state')}
`
}

function keyed(table: Table, key: string): string {
  return `CREATE TABLE ${table.name} (${definitions(table)}, PRIMARY KEY (${key})) WITHOUT ROWID;`
}

function indexes(): string {
  return `
CREATE UNIQUE INDEX entries_uid ON entries(lid, uid);
CREATE UNIQUE INDEX entries_place ON entries(lid, place);
CREATE INDEX entries_key ON entries(lid, key COLLATE NOCASE) WHERE key IS NOT NULL;
CREATE INDEX entries_parent ON entries(lid, parent, place) WHERE parent IS NOT NULL;
CREATE INDEX entries_open ON entries(lid, place) WHERE ${openSql()};
CREATE INDEX entries_pending ON entries(lid, priority, milestone, number) WHERE ${pendingSql()};
CREATE INDEX entries_ready ON entries(lid, priority, milestone, number) WHERE ${readySql()};
CREATE INDEX entries_blocked ON entries(lid, priority, milestone, number) WHERE ${blockedSql()};
CREATE INDEX entries_held ON entries(lid, priority, milestone, number) WHERE ${heldSql()};
CREATE INDEX entries_failed ON entries(lid, parent) WHERE ${failedSql()} AND parent IS NOT NULL;
CREATE INDEX entries_branch ON entries(branch) WHERE branch IS NOT NULL;
CREATE INDEX entries_running ON entries(lid) WHERE open_runs IS NOT NULL;
CREATE INDEX entries_awaiting ON entries(lid) WHERE awaits_commit = 1;
CREATE INDEX entries_commit ON entries(lid, closed_commit) WHERE closed_commit IS NOT NULL;
CREATE INDEX entries_moved ON entries(uid) WHERE moved_to IS NOT NULL;
CREATE INDEX entries_filed ON entries(filed_in) WHERE filed_in IS NOT NULL;
CREATE INDEX entries_away ON entries(lid) WHERE away > 0;
CREATE INDEX needs_needed ON needs(needed);
`
}

/** What `gza query` shows. The columns are public. */
function views(): string {
  return `
CREATE VIEW tasks AS SELECT
  e.number AS id, p.number AS parent_id, e.plan_file, e.project,
  -- A part is on the branch of its whole, however deep; a merge may have made a cycle of parents.
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
  e.assigned_agent, CASE WHEN ${finishedSql('e')} THEN e.closed_at END AS completed_at,
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
`
}

/**
 * Tells the query planner what a large ledger looks like. Without it the planner takes the ledger's number for a good
 * key, and reads 100,000 rows to find one.
 */
const STATISTICS = `
ANALYZE;
INSERT INTO sqlite_stat1 VALUES
  ('ledgers', 'sqlite_autoindex_ledgers_1', '10 1'),
  ('entries', 'entries_uid', '100000 100000 1'), ('entries', 'entries_place', '100000 100000 1'),
  ('entries', 'entries_key', '10000 10000 1'), ('entries', 'entries_parent', '10000 10000 10 1'),
  ('entries', 'entries_open', '1000 1000 1'), ('entries', 'entries_pending', '1000 1000 300 100 1'),
  ('entries', 'entries_ready', '500 500 200 50 1'),
  ('entries', 'entries_held', '10 10 5 2 1'),
  ('entries', 'entries_blocked', '500 500 200 50 1'), ('entries', 'entries_branch', '1000 1'),
  ('entries', 'entries_running', '10 10'), ('entries', 'entries_awaiting', '10 10'), ('entries', 'entries_moved', '100 2'),
  ('entries', 'entries_filed', '1000 20'), ('entries', 'entries_away', '100 50'), ('entries', 'entries_commit', '10000 10000 1'),
  ('lines', NULL, '100000'),
  ('needs', 'needs', '50000 2 1'), ('needs', 'needs_needed', '50000 2'),
  ('claims', 'claims', '100000 100000 1 1'), ('artifacts', 'artifacts', '1000 1000 1'),
  ('foreign_files', 'foreign_files', '10 10 1'),
  ('link_tips', 'link_tips', '10 10 1');
ANALYZE sqlite_schema;
`
