/** The ledgers in the index, and the commit of each. */
import { putRow } from '../describe-table.ts'
import { CONTAINED, type LedgerRow, LINK_TIPS } from './index-tables.ts'
import type { State } from './open-state.ts'
import { countEntries } from './select-entries.ts'
import { openSql, pendingSql } from './status-sql.ts'

export function findLedger(db: State, ledger: string): LedgerRow | null {
  const count = (table: string) => `(SELECT count(*) FROM ${table} t WHERE t.lid = l.lid)`
  return db
    .query(
      `SELECT l.*, ${count('unreadable')} AS unreadable, ${count('foreign_files')} AS "foreign",
        (SELECT count(*) FROM entries e INDEXED BY entries_away WHERE e.lid = l.lid AND e.away > 0) AS away,
        EXISTS (
          SELECT 1 FROM entries e INDEXED BY entries_parent WHERE e.lid = l.lid AND e.parent IS NOT NULL
        ) AS has_parts,
        EXISTS (SELECT 1 FROM artifacts a WHERE a.lid = l.lid) AS has_artifacts
      FROM ledgers l WHERE ledger = ?`,
    )
    .get(ledger) as LedgerRow | null
}

/** The ledgers that existed when the index last read them. */
export function indexedLedgers(db: State): string[] {
  const rows = db.query("SELECT ledger FROM ledgers WHERE tip <> ''").all() as { ledger: string }[]
  return rows.map(({ ledger }) => ledger)
}

/** The row of a ledger; an empty one if the index has never read it. */
export function ensureLedger(db: State, ledger: string): LedgerRow {
  db.query(
    "INSERT OR IGNORE INTO ledgers (ledger, tip, shards, places, tasks, last_number) VALUES (?, '', 0, 0, 0, 0)",
  ).run(ledger)
  return findLedger(db, ledger) as LedgerRow
}

/** `added`: how many tasks more there are, if that is not counted yet. */
export function setTip(
  db: State,
  lid: number,
  { tip, shards, added = 0 }: { tip: string; shards: number; added?: number },
): void {
  db.query(
    `UPDATE ledgers SET tip = ?2, shards = ?3, tasks = tasks + ?4,
      places = (SELECT coalesce(max(place) + 1, 0) FROM entries WHERE lid = ?1),
      last_number = (SELECT coalesce(max(number), 0) FROM claims WHERE lid = ?1)
    WHERE lid = ?1`,
  ).run(lid, tip, shards, added)
}

/** Empties a ledger: its tasks, artifacts and unreadable lines. Its row stays. */
export function dropLedgerRows(db: State, lid: number): void {
  for (const table of ['lines', 'needs']) {
    db.query(`DELETE FROM ${table} WHERE row IN (SELECT row FROM entries WHERE lid = ?)`).run(lid)
  }
  for (const table of ['entries', 'claims', 'unreadable', 'artifacts', 'foreign_files']) {
    db.query(`DELETE FROM ${table} WHERE lid = ?`).run(lid)
  }
  db.query('UPDATE ledgers SET tasks = 0 WHERE lid = ?').run(lid)
}

/** The tip of a branch when its history was last compared with the links. */
export function linkTip(db: State, lid: number, branch: string): string | null {
  const row = db.query('SELECT tip FROM link_tips WHERE lid = ? AND branch = ?').get(lid, branch)
  return (row as { tip: string } | null)?.tip ?? null
}

/**
 * Does no task wait for a commit, and is the branch where it was when its history was last read? A detached HEAD is on no
 * branch, and nothing is read from there.
 */
export function isHistoryRead(db: State, lid: number, head: { branch: string; oid: string | null } | null): boolean {
  const isSeen = '(SELECT tip FROM link_tips WHERE lid = ?1 AND branch = ?2) IS ?3'
  const isAwaited = 'EXISTS (SELECT 1 FROM entries INDEXED BY entries_awaiting WHERE lid = ?1 AND awaits_commit = 1)'
  const row = db
    .query(`SELECT (?2 IS NULL OR ${isSeen}) AND NOT ${isAwaited} AS is_read`)
    .get(lid, head?.branch ?? null, head?.oid ?? null)
  return (row as { is_read: number }).is_read === 1
}

export function setLinkTip(db: State, lid: number, branch: string, tip: string): void {
  putRow(db, LINK_TIPS, { lid, branch, tip })
}

/** The ledgers that tasks moved to from this one. */
export function targetsOfMoves(db: State, lid: number): string[] {
  const rows = db.query('SELECT DISTINCT moved_to FROM entries WHERE lid = ? AND away > 0').values(lid)
  return (rows as [string][]).map(([ledger]) => ledger)
}

/** A row of a task that moved, in the ledger with this lid. */
export interface MovedRow {
  uid: string
  lid: number
  ledger: string
}

/** Every row of every task that ever moved, in any ledger that exists; also rows that do not know of the move yet. */
export function rowsOfMovedTasks(db: State): MovedRow[] {
  return db
    .query(
      `SELECT e.uid, e.lid, l.ledger
      FROM (SELECT DISTINCT uid FROM entries WHERE moved_to IS NOT NULL) m
      CROSS JOIN ledgers l CROSS JOIN entries e ON e.lid = l.lid AND e.uid = m.uid
      WHERE l.tip <> '' ORDER BY e.uid, l.ledger`,
    )
    .all() as MovedRow[]
}

export interface LeftPart {
  uid: string
  from: string
  to: string
}

/** Parts of tasks that moved from their ledger to another one that exists, and that have not moved themselves. */
export function partsLeftBehind(db: State): LeftPart[] {
  return db
    .query(
      `SELECT e.uid, l.ledger AS "from", t.ledger AS "to" FROM entries p
      CROSS JOIN ledgers l USING (lid) CROSS JOIN ledgers t ON t.ledger = p.moved_to
      CROSS JOIN entries e ON e.lid = p.lid AND e.parent = p.uid
      WHERE p.moved_to IS NOT NULL AND p.away > 0 AND l.tip <> '' AND t.tip <> '' AND e.away = 0 AND e.deleted = 0
      ORDER BY l.ledger, t.ledger, e.place`,
    )
    .all() as LeftPart[]
}

/** Which ledgers have tasks that moved, and where to: [from, to]. */
export function movesBetweenLedgers(db: State): [string, string][] {
  return db
    .query(
      `SELECT DISTINCT l.ledger, e.moved_to FROM entries e CROSS JOIN ledgers l USING (lid)
      WHERE e.moved_to IS NOT NULL AND e.away > 0 AND l.tip <> ''`,
    )
    .values() as [string, string][]
}

/** The state of branches and links in which the links of all ledgers were last followed. No ledger has the number 0. */
export function followedState(db: State): string | null {
  return linkTip(db, 0, '')
}

export function setFollowedState(db: State, state: string): void {
  setLinkTip(db, 0, '', state)
}

/** Is the commit contained in the base? Null if git was not asked yet. */
export function isKnownContained(db: State, commit: string, base: string): boolean | null {
  const row = db.query('SELECT is_contained FROM contained WHERE commit_id = ? AND base = ?').get(commit, base)
  return row === null ? null : (row as { is_contained: number }).is_contained === 1
}

/** Remembers the answers about one base, and forgets those about earlier ones. */
export function setContained(db: State, base: string, answers: ReadonlyMap<string, boolean>): void {
  db.query('DELETE FROM contained WHERE base <> ?').run(base)
  for (const [commit_id, is] of answers) putRow(db, CONTAINED, { commit_id, base, is_contained: is ? 1 : 0 })
}

/** Has another ledger open tasks; or any, if this one has none? */
export function hasTasksElsewhere(db: State, ledger: string): boolean {
  // Mostly there is no other ledger, and this is the quicker question.
  if (db.query("SELECT 1 FROM ledgers WHERE ledger <> ? AND tip <> '' LIMIT 1").get(ledger) === null) return false
  const row = db
    .query(
      `SELECT 1 FROM ledgers l WHERE l.ledger <> ?1 AND l.tip <> '' AND (
        EXISTS (SELECT 1 FROM entries e WHERE e.lid = l.lid AND ${openSql('e')})
        OR (EXISTS (SELECT 1 FROM entries e WHERE e.lid = l.lid AND e.deleted = 0)
          AND NOT EXISTS (SELECT 1 FROM ledgers o WHERE o.ledger = ?1 AND o.tip <> ''))
      ) LIMIT 1`,
    )
    .get(ledger)
  return row !== null
}

/** The ledger of the task that was given this branch. */
export function ledgerWithBranch(db: State, branch: string): string | null {
  const row = db
    .query('SELECT ledger FROM entries CROSS JOIN ledgers USING (lid) WHERE branch = ? AND deleted = 0 LIMIT 1')
    .get(branch) as { ledger: string } | null
  return row?.ledger ?? null
}

export function countPending(db: State, lid: number): number {
  return countEntries(db, lid, pendingSql('e'))
}
