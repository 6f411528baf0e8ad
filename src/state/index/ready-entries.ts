/** The open tasks, one row after the other: 100,000 of them are never in memory at once. */

import type { Entry } from './find-entries.ts'
import type { State } from './open-state.ts'

export type OpenEntry = Pick<
  Entry,
  'uid' | 'id' | 'number' | 'key' | 'title' | 'type' | 'status' | 'unmet' | 'running_on'
>

const OPEN = "e.status = 'pending' AND e.deleted = 0"
const READY = `${OPEN} AND e.on_hold = 0 AND e.unmet = 0`
const BLOCKED = `${OPEN} AND e.unmet > 0`
const COLUMNS = 'e.uid, e.id, e.number, e.key, e.title, e.type, e.status, e.unmet, e.running_on'
const IN_ORDER = 'ORDER BY e.priority, e.milestone, e.number'

/** Tasks that wait for nothing, in the order in which they should be started. */
export function readyEntries(db: State, lid: number): Iterable<OpenEntry> {
  return rowsOf<OpenEntry>(db, lid, `SELECT ${COLUMNS} FROM entries e WHERE e.lid = ? AND ${READY} ${IN_ORDER}`)
}

const FEW = 2000

/** At once where they are few, which takes half the time. */
function rowsOf<T>(db: State, lid: number, sql: string): Iterable<T> {
  const few = db.query(`${sql} LIMIT ${FEW + 1}`).all(lid) as T[]
  return few.length <= FEW ? few : (db.query(sql).iterate(lid) as Iterable<T>)
}

/** A task that waits, with the unfinished ones it waits for, by number. */
export interface BlockedEntry extends OpenEntry {
  blockers: Blocker[]
}

/** `known` is null where the ledger does not hold the task. */
export interface Blocker {
  uid: string
  known: Pick<Entry, 'uid' | 'id' | 'number' | 'title' | 'status' | 'unmet' | 'running_on'> | null
}

/** In the same order. One query for all of them: one for each took longer than all else that `ready` does. */
export function* blockedEntries(db: State, lid: number): Iterable<BlockedEntry> {
  const rows = rowsOf<BlockedRow>(
    db,
    lid,
    `SELECT ${COLUMNS}, n.needed, d.id AS d_id, d.number AS d_number, d.title AS d_title, d.status AS d_status, d.unmet AS d_unmet,
      d.running_on AS d_running_on
    FROM entries e CROSS JOIN needs n USING (row) LEFT JOIN entries d ON d.row = n.needed_row
    WHERE e.lid = ? AND ${BLOCKED} AND (d.row IS NULL OR (d.deleted = 0 AND d.status NOT IN ('completed', 'skipped')))
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
  d_running_on: string | null
}

function openPart({ uid, id, number, key, title, type, status, unmet, running_on }: BlockedRow): OpenEntry {
  return { uid, id, number, key, title, type, status, unmet, running_on }
}

function blockerIn(row: BlockedRow): Blocker {
  if (row.d_id === null) return { uid: row.needed, known: null }
  const { d_number: number, d_title: title, d_status: status, d_unmet: unmet, d_running_on: running_on } = row
  return { uid: row.needed, known: { uid: row.needed, id: row.d_id, number, title, status, unmet, running_on } }
}

export function countOpen(db: State, lid: number): number {
  return count(db, lid, OPEN)
}

export function countBlocked(db: State, lid: number): number {
  return count(db, lid, BLOCKED)
}

function count(db: State, lid: number, which: string): number {
  const row = db.query(`SELECT count(*) AS n FROM entries e WHERE e.lid = ? AND ${which}`).get(lid)
  return (row as { n: number }).n
}

/**
 * The tasks that are done through descendants which are still open. A merge may have made tasks each other's parents: those
 * have no leaf below them, and are not among these.
 */
export function parentsOfOpen(db: State, lid: number): Set<string> {
  const sql = `SELECT e.uid, e.parent FROM entries e WHERE e.lid = ? AND e.parent IS NOT NULL AND ${OPEN}`
  const rows = db.query(sql).all(lid) as { uid: string; parent: string }[]
  const above = new Map(rows.map(({ uid, parent }) => [uid, parent]))
  const parents = new Set(above.values())
  const found = new Set<string>()
  for (const { uid } of rows) {
    if (parents.has(uid)) continue
    for (let up = above.get(uid); up !== undefined && !found.has(up); up = above.get(up)) found.add(up)
  }
  return found
}

/** The tasks of which a child has failed. */
export function parentsOfFailed(db: State, lid: number): Set<string> {
  const failed = "lid = ? AND status = 'failed' AND deleted = 0 AND parent IS NOT NULL"
  const rows = db.query(`SELECT DISTINCT parent FROM entries INDEXED BY entries_failed WHERE ${failed}`).all(lid)
  return new Set((rows as { parent: string }[]).map(({ parent }) => parent))
}
