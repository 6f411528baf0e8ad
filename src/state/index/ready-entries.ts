/** The pending tasks, one row after the other: 100,000 of them are never in memory at once. */

import { withAlias } from '../describe-table.ts'
import { OPEN_ENTRY, type OpenEntry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { type Blocker, blockersOfRows } from './relations.ts'
import { blockedSql, heldSql, readySql } from './status-sql.ts'

const IN_ORDER = 'ORDER BY e.priority, e.milestone, e.number'

/** Tasks that wait for nothing, in the order in which they should be started. */
export function readyEntries(db: State, lid: number): Iterable<OpenEntry> {
  return rowsOf(db, lid, `entries_ready WHERE e.lid = ? AND ${readySql('e')}`)
}

/** Tasks that wait for nothing but a person, who has put them on hold or has not answered. */
export function heldEntries(db: State, lid: number): Iterable<OpenEntry> {
  return rowsOf(db, lid, `entries_held WHERE e.lid = ? AND ${heldSql('e')}`)
}

const FEW = 2000

/** All at once if they are few, which takes half the time. */
function rowsOf(db: State, lid: number, indexAndCondition: string): Iterable<OpenEntry> {
  const sql = `SELECT ${withAlias(OPEN_ENTRY, 'e')} FROM entries e INDEXED BY ${indexAndCondition} ${IN_ORDER}`
  const few = db.query(`${sql} LIMIT ${FEW + 1}`).all(lid) as OpenEntry[]
  return few.length <= FEW ? few : (db.query(sql).iterate(lid) as Iterable<OpenEntry>)
}

/** A task that waits, with the unfinished ones it waits for, by number. */
export interface BlockedEntry extends OpenEntry {
  blockers: Blocker[]
}

/** In the same order. What they wait for is read for many at once: a query for each took longer than the rest of `ready`. */
export function blockedEntries(db: State, lid: number): Iterable<BlockedEntry> {
  const rows = rowsOf(db, lid, `entries_blocked WHERE e.lid = ? AND ${blockedSql('e')}`)
  return Array.isArray(rows) ? withBlockers(db, rows) : withBlockersInTurn(db, rows)
}

function withBlockers(db: State, rows: readonly OpenEntry[]): BlockedEntry[] {
  const numbers: number[] = []
  for (const { row } of rows) numbers.push(row)
  const blockers = blockersOfRows(db, numbers)
  const entries: BlockedEntry[] = []
  for (const row of rows) entries.push({ ...row, blockers: blockers.get(row.row) ?? [] })
  return entries
}

function* withBlockersInTurn(db: State, rows: Iterable<OpenEntry>): Iterable<BlockedEntry> {
  let some: OpenEntry[] = []
  for (const row of rows) {
    some.push(row)
    if (some.length < FEW) continue
    yield* withBlockers(db, some)
    some = []
  }
  yield* withBlockers(db, some)
}

/** How many tasks wait for others, and how many only for a person. */
export function countWaiting(db: State, lid: number): { blocked: number; held: number } {
  const row = db
    .query(
      `SELECT
        (SELECT count(*) FROM entries e INDEXED BY entries_blocked WHERE e.lid = ?1 AND ${blockedSql('e')}) AS blocked,
        (SELECT count(*) FROM entries e INDEXED BY entries_held WHERE e.lid = ?1 AND ${heldSql('e')}) AS held`,
    )
    .get(lid)
  return row as { blocked: number; held: number }
}
