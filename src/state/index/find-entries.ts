/** Lookups in the index. Rows are trusted: only indexTasks writes them. CROSS JOIN keeps the order of the tables. */

import { SHARD_TASKS } from '../../core/task/layout.ts'
import type { Status, Task, TaskType } from '../../core/task/task.ts'
import { SHORTEST_ID } from '../../core/task/task-ids.ts'
import { parseTrustedLine } from '../../core/task/task-line.ts'
import { type KeptLine, soundLine } from './line-checksum.ts'
import { DamagedState, type State } from './open-state.ts'
import type { LedgerRow } from './write-entries.ts'

/** What the index knows of a task without its whole line. */
export interface Entry {
  uid: string
  place: number
  id: string
  number: number
  key: string | null
  title: string
  status: Status
  type: TaskType
  grp: string | null
  parent: string | null
  plan_file: string | null
  assigned_agent: string | null
  created_at: string
  closed_at: string | null
  deleted: number
  /** Finished, and put away by a person. */
  archived: number
  unmet: number
  running_on: string | null
}

const COLUMNS =
  'e.uid, e.place, e.id, e.number, e.key, e.title, e.status, e.type, e.grp, e.parent, e.plan_file, e.assigned_agent, e.created_at, e.closed_at, e.deleted, e.archived, e.unmet, e.running_on'

export function entriesWhere(db: State, lid: number, where: string, ...values: (string | number)[]): Entry[] {
  return db.query(`SELECT ${COLUMNS} FROM entries e WHERE e.lid = ? AND ${where}`).all(lid, ...values) as Entry[]
}

export function entryOf(db: State, lid: number, uid: string): Entry | undefined {
  return entriesWhere(db, lid, 'e.uid = ?', uid)[0]
}

/** Every task that ever had the number. */
export function entriesByNumber(db: State, lid: number, number: number): Entry[] {
  return db
    .query(
      `SELECT ${COLUMNS} FROM claims c CROSS JOIN entries e USING (lid, uid) WHERE c.lid = ? AND c.number = ? ORDER BY e.created_at, e.uid`,
    )
    .all(lid, number) as Entry[]
}

export function entriesByUidPrefix(db: State, lid: number, hex: string, limit = 10): Entry[] {
  return entriesWhere(db, lid, 'e.uid >= ? AND e.uid < ? ORDER BY e.uid LIMIT ?', hex, `${hex}g`, limit)
}

/** An id is the start of its uid. */
export function entryWithId(db: State, lid: number, id: string): Entry | undefined {
  const hex = id.slice('task-'.length)
  if (hex.length < SHORTEST_ID) return undefined
  return entriesWhere(db, lid, 'e.uid >= ? AND e.uid < ? AND e.id = ?', hex, `${hex}g`, id)[0]
}

export function entriesNeededBy(db: State, lid: number, uid: string): (Entry & { needed: string })[] {
  return db
    .query(
      `SELECT n.needed, ${COLUMNS} FROM entries w CROSS JOIN needs n USING (row) LEFT JOIN entries e ON e.row = n.needed_row
      WHERE w.lid = ? AND w.uid = ? ORDER BY e.number`,
    )
    .all(lid, uid) as (Entry & { needed: string })[]
}

export function taskOf(db: State, lid: number, uid: string): Task | null {
  const line = lineOf(db, lid, uid)
  return line === null ? null : parseTrustedLine(line)
}

export function lineOf(db: State, lid: number, uid: string): string | null {
  const row = db
    .query('SELECT l.line, l.sum FROM entries e CROSS JOIN lines l USING (row) WHERE e.lid = ? AND e.uid = ?')
    .get(lid, uid) as KeptLine | null
  return row ? soundLine(row) : null
}

export function* tasksInOrder(db: State, lid: number): Generator<Task> {
  const rows = db.query(
    'SELECT l.line, l.sum FROM entries e LEFT JOIN lines l USING (row) WHERE e.lid = ? ORDER BY e.place',
  )
  let count = 0
  for (const row of rows.iterate(lid) as Iterable<KeptLine>) {
    count++
    yield parseTrustedLine(soundLine(row))
  }
  const ledger = db.query('SELECT tasks FROM ledgers WHERE lid = ?').get(lid) as { tasks: number } | null
  if (count !== (ledger?.tasks ?? 0)) throw new DamagedState('the index has lost tasks')
}

/** The full lines of one group of 64 tasks, in their order, with their places: all of them, or the index is damaged. */
export function linesOfShard(db: State, ledger: LedgerRow, shard: number): { place: number; line: string }[] {
  const first = shard * SHARD_TASKS
  const rows = db
    .query(
      'SELECT e.place, l.line, l.sum FROM entries e LEFT JOIN lines l USING (row) WHERE e.lid = ? AND e.place >= ? AND e.place < ? ORDER BY e.place',
    )
    .all(ledger.lid, first, first + SHARD_TASKS) as (KeptLine & { place: number })[]
  const missing = Math.min(SHARD_TASKS, ledger.places - first) - rows.length
  const isWhole = missing <= 0 || missing <= unreadableLines(db, ledger.lid).length
  if (!isWhole || rows.some(({ place }, index) => place !== first + index))
    throw new DamagedState(`the index has lost tasks of shard ${shard}`)
  return rows.map((row) => ({ place: row.place, line: soundLine(row) }))
}

export interface Unreadable {
  path: string
  line: number
  text: string
  why: string
}

export function unreadableLines(db: State, lid: number): Unreadable[] {
  const rows = db.query('SELECT path, line, text, why FROM unreadable WHERE lid = ? ORDER BY path, line').all(lid)
  return (rows as Unreadable[]).map((row) => ({ ...row, text: JSON.parse(row.text) }))
}

export function artifactsOf(db: State, lid: number, prefix = 'artifacts/'): { path: string; blob: string }[] {
  return db
    .query('SELECT path, blob FROM artifacts WHERE lid = ? AND path >= ? AND path < ? ORDER BY path')
    .all(lid, prefix, `${prefix}\u{10ffff}`) as { path: string; blob: string }[]
}

/** The tip of a branch when its history was last compared with the links. */
export function linkTip(db: State, lid: number, branch: string): string | null {
  const row = db.query('SELECT tip FROM link_tips WHERE lid = ? AND branch = ?').get(lid, branch) as {
    tip: string
  } | null
  return row?.tip ?? null
}

export function setLinkTip(db: State, lid: number, branch: string, tip: string): void {
  db.query('INSERT OR REPLACE INTO link_tips VALUES (?, ?, ?)').run(lid, branch, tip)
}

/** The ledger that holds the task which was given this branch. */
export function ledgerWithBranch(db: State, branch: string): string | null {
  const row = db
    .query('SELECT ledger FROM entries CROSS JOIN ledgers USING (lid) WHERE branch = ? AND deleted = 0 LIMIT 1')
    .get(branch) as { ledger: string } | null
  return row?.ledger ?? null
}

/** Every task that was given a branch. */
export function branchedTasks(db: State, lid: number): { uid: string; branch: string }[] {
  return db
    .query('SELECT uid, branch FROM entries WHERE lid = ? AND branch IS NOT NULL AND deleted = 0 ORDER BY number')
    .all(lid) as { uid: string; branch: string }[]
}

/** The reviews that were filed about a task. */
export function reviewsOf(db: State, lid: number, uid: string): string[] {
  const rows = db
    .query(
      `SELECT e.uid FROM needs n CROSS JOIN entries e USING (row)
      WHERE e.lid = ? AND n.needed = ? AND e.type = 'review' AND e.deleted = 0`,
    )
    .all(lid, uid) as { uid: string }[]
  return rows.map((row) => row.uid)
}
