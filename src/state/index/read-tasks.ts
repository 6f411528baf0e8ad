/** Whole tasks, from their lines in the index. */
import { parseTrustedLine, parseWrittenLine, type WrittenTask, withDefaults } from '../../core/ledger/written-task.ts'
import type { Task } from '../../core/task/task.ts'
import type { Entry } from './index-tables.ts'
import { DamagedState, type State } from './open-state.ts'

export function taskOf(db: State, lid: number, uid: string): Task | null {
  const line = lineOf(db, lid, uid)
  return line === null ? null : parseTrustedLine(line)
}

/** The same without defaults. */
export function writtenTaskOf(db: State, lid: number, uid: string): WrittenTask | null {
  const line = lineOf(db, lid, uid)
  return line === null ? null : parseWrittenLine(line)
}

export function lineOf(db: State, lid: number, uid: string): string | null {
  const row = db
    .query(`SELECT l.line, l.sum FROM entries e INDEXED BY entries_uid CROSS JOIN lines l USING (row)
      WHERE e.lid = ? AND e.uid = ?`)
    .get(lid, uid) as KeptLine | null
  return row ? checkedLine(row) : null
}

type RowOfTask = Pick<Entry, 'row' | 'uid'>

/** The tasks of these rows, in the same order. */
export function tasksOfRows(db: State, rows: readonly RowOfTask[]): Task[] {
  return writtenTasksOfRows(db, rows).map(withDefaults)
}

/** The same without defaults, for lists of many. */
export function writtenTasksOfRows(db: State, rows: readonly RowOfTask[]): WrittenTask[] {
  const found = db
    .query('SELECT j.key, l.line, l.sum FROM json_each(?) j LEFT JOIN lines l ON l.row = j.value')
    .all(JSON.stringify(rows.map(({ row }) => row))) as (KeptLine & { key: number })[]
  const tasks: WrittenTask[] = []
  // Not sorted by SQLite, which would copy all lines once more.
  for (const kept of found) {
    const task = parseWrittenLine(checkedLine(kept))
    if (task.uid !== rows[kept.key]?.uid) throw new DamagedState('a line of the index belongs to another task')
    tasks[kept.key] = task
  }
  return tasks
}

/** All tasks of the ledger, one after the other. */
export function* tasksInOrder(db: State, lid: number): Generator<Task> {
  const rows = db.query(
    'SELECT l.line, l.sum FROM entries e LEFT JOIN lines l USING (row) WHERE e.lid = ? ORDER BY e.place',
  )
  let count = 0
  for (const row of rows.iterate(lid) as Iterable<KeptLine>) {
    count++
    yield parseTrustedLine(checkedLine(row))
  }
  const ledger = db.query('SELECT tasks FROM ledgers WHERE lid = ?').get(lid) as { tasks: number } | null
  if (count !== (ledger?.tasks ?? 0)) throw new DamagedState('the index has lost tasks')
}

/**
 * SQLite notices a broken page, but not a broken text in it, and an index that lost a row gives no error at all. What a
 * write takes from the index goes back into the ledger, so each line carries a checksum.
 */
export function checksum(line: string): number {
  return Bun.hash.xxHash32(line)
}

/** A line of the index. Both are null if a join found none. */
export interface KeptLine {
  line: string | null
  sum: number | null
}

/** The line, if its checksum is right. */
export function checkedLine({ line, sum }: KeptLine): string {
  if (line === null || checksum(line) !== sum) throw new DamagedState('a line of the index is not what was written')
  return line
}
