/** Which task depends on which. For all tasks in one query each: one query for each task took longer than the drawing. */
import type { Status } from '../../core/task/task.ts'
import type { Entry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { entryColumns, hasEntry, selectEntries } from './select-entries.ts'
import { openSql, pendingSql } from './status-sql.ts'

/**
 * The dependencies of the task, by number. If the ledger does not have one, all its fields except `needed` are null.
 */
export function entriesNeededBy(db: State, lid: number, uid: string): (Entry & { needed: string })[] {
  return db
    .query(
      `SELECT n.needed, ${entryColumns()} FROM entries w CROSS JOIN needs n USING (row)
      LEFT JOIN entries e ON e.row = n.needed_row WHERE w.lid = ? AND w.uid = ? ORDER BY e.number`,
    )
    .all(lid, uid) as (Entry & { needed: string })[]
}

const NEEDS_IT = 'e.row IN (SELECT n.row FROM needs n WHERE n.needed = ?)'

export function pendingEntriesNeeding(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, `${NEEDS_IT} AND ${pendingSql('e')}`, uid)
}

/** Finished ones too. */
export function entriesNeeding(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, `${NEEDS_IT} AND e.deleted = 0`, uid)
}

/** The reviews that were filed for a task. */
export function reviewsOf(db: State, lid: number, uid: string): string[] {
  return selectEntries(db, lid, `${NEEDS_IT} AND e.type = 'review' AND e.deleted = 0`, uid).map((row) => row.uid)
}

/** Does a later task improve or review the work of this one? `after`: the number after which it was filed. */
export function hasFollowUp(db: State, lid: number, uid: string, after = 0): boolean {
  const followUp = `${NEEDS_IT} AND e.type IN ('improve', 'review') AND e.deleted = 0 AND e.number > ?`
  return hasEntry(db, lid, followUp, uid, after)
}

export interface NeedRow {
  task: string
  needs: string
}

/** By number. `all`: also finished tasks. Tasks that are not in this ledger count as needed too. */
export function needRows(db: State, lid: number, { all }: { all: boolean }): NeedRow[] {
  return db
    .query(
      `SELECT e.uid AS task, n.needed AS needs FROM entries e CROSS JOIN needs n USING (row) LEFT JOIN entries d ON d.row = n.needed_row
      WHERE e.lid = ? AND ${shown('e', all)} AND (d.row IS NULL OR (${shown('d', all)}))
      ORDER BY e.number, d.number`,
    )
    .all(lid) as NeedRow[]
}

export function shown(alias: string, all: boolean): string {
  return all ? `${alias}.deleted = 0` : openSql(alias)
}

/** Another task, and whether it is finished; its status is null if it is not in this ledger. */
export interface Link {
  uid: string
  status: Status | null
  deleted: number | null
}

const LINKS = {
  /** What it depends on. */
  needed: `SELECT n.needed AS uid, e.status, e.deleted FROM entries w CROSS JOIN needs n USING (row)
    LEFT JOIN entries e ON e.row = n.needed_row WHERE w.lid = ? AND w.uid = ? ORDER BY e.number`,
  /** What depends on it. */
  needing: `SELECT e.uid, e.status, e.deleted FROM needs n CROSS JOIN entries e USING (row)
    WHERE e.lid = ? AND n.needed = ?`,
  children: 'SELECT e.uid, e.status, e.deleted FROM entries e WHERE e.lid = ? AND e.parent = ? ORDER BY e.place',
}

export function linksOf(db: State, lid: number, uid: string, kind: keyof typeof LINKS): Link[] {
  return db.query(LINKS[kind]).all(lid, uid) as Link[]
}
