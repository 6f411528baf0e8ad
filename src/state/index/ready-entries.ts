/** The pending tasks, one row after the other: 100,000 of them are never in memory at once. */

import { columnsOf, type RowOf, some } from '../describe-table.ts'
import { ENTRIES, type Entry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { type Blocker, blockerTitle } from './relations.ts'
import { blockedSql, blockingSql, heldSql, readySql } from './status-sql.ts'

const PENDING_ENTRY = some(ENTRIES, () => [
  'row',
  'uid',
  'id',
  'number',
  'key',
  'title',
  'type',
  'status',
  'unmet',
  'open_runs',
  'on_hold',
  'asks',
  'archived',
])
export type OpenEntry = RowOf<typeof PENDING_ENTRY>

const COLUMNS = columnsOf(PENDING_ENTRY, 'e')
const IN_ORDER = 'ORDER BY e.priority, e.milestone, e.number'

/** Tasks that wait for nothing, in the order in which they should be started. */
export function readyEntries(db: State, lid: number): Iterable<OpenEntry> {
  return rowsOf<OpenEntry>(db, lid, `SELECT ${COLUMNS} FROM entries e WHERE e.lid = ? AND ${readySql('e')} ${IN_ORDER}`)
}

/** Tasks that wait for nothing but a person, who has put them on hold or has not answered. */
export function heldEntries(db: State, lid: number): Iterable<OpenEntry> {
  return rowsOf<OpenEntry>(db, lid, `SELECT ${COLUMNS} FROM entries e WHERE e.lid = ? AND ${heldSql('e')} ${IN_ORDER}`)
}

const FEW = 2000

/** All at once if they are few, which takes half the time. */
function rowsOf<T>(db: State, lid: number, sql: string): Iterable<T> {
  const few = db.query(`${sql} LIMIT ${FEW + 1}`).all(lid) as T[]
  return few.length <= FEW ? few : (db.query(sql).iterate(lid) as Iterable<T>)
}

/** A task that waits, with the unfinished ones it waits for, by number. */
export interface BlockedEntry extends OpenEntry {
  blockers: Blocker[]
}

/** In the same order. One query for all of them: one for each took longer than the rest of `ready`. */
export function* blockedEntries(db: State, lid: number): Iterable<BlockedEntry> {
  const rows = rowsOf<BlockedRow>(
    db,
    lid,
    `SELECT ${COLUMNS}, n.needed, d.id AS d_id, d.number AS d_number, ${blockerTitle('d')} AS d_title, d.status AS d_status, d.unmet AS d_unmet,
      d.open_runs AS d_open_runs
    FROM entries e CROSS JOIN needs n USING (row) LEFT JOIN entries d ON d.row = n.needed_row
    WHERE e.lid = ? AND ${blockedSql('e')} AND (d.row IS NULL OR ${blockingSql('d')})
    ${IN_ORDER}, e.row, d.number`,
  )
  let last: BlockedEntry | undefined
  for (const row of rows) {
    if (last?.uid !== row.uid) {
      if (last !== undefined) yield last
      last = { ...openPart(row), blockers: [] }
    }
    last.blockers.push(blockerIn(row))
  }
  if (last !== undefined) yield last
}

type BlockedRow = OpenEntry & {
  needed: string
  d_id: string | null
  d_number: number
  d_title: string
  d_status: Entry['status']
  d_unmet: number
  d_open_runs: string | null
}

function openPart({
  row,
  uid,
  id,
  number,
  key,
  title,
  type,
  status,
  unmet,
  open_runs,
  on_hold,
  asks,
  archived,
}: BlockedRow): OpenEntry {
  return { row, uid, id, number, key, title, type, status, unmet, open_runs, on_hold, asks, archived }
}

function blockerIn(row: BlockedRow): Blocker {
  if (row.d_id === null) return { uid: row.needed, known: null }
  const { d_number: number, d_title: title, d_status: status, d_unmet: unmet, d_open_runs: open_runs } = row
  return { uid: row.needed, known: { uid: row.needed, id: row.d_id, number, title, status, unmet, open_runs } }
}

/** How many tasks wait for others, and how many only for a person. */
export function countWaiting(db: State, lid: number): { blocked: number; held: number } {
  const count = (condition: string) => `(SELECT count(*) FROM entries e WHERE e.lid = ?1 AND ${condition})`
  const row = db.query(`SELECT ${count(blockedSql('e'))} AS blocked, ${count(heldSql('e'))} AS held`).get(lid)
  return row as { blocked: number; held: number }
}
