/**
 * Fills the rows of a ledger that has none, task after task: after a clone, or for an import. What other rows decide (numbers,
 * dependencies) is settled at the end, and for all of them at once.
 */
import { derivedFields } from '../../../core/ledger/derived-fields.ts'
import type { PlacedTask } from '../../../core/ledger/task-files.ts'
import { dependenciesOf, type Task, titleOf, uidOf } from '../../../core/task/task.ts'
import { insertInto, type Value } from '../../describe-table.ts'
import { CLAIMS, ENTRIES, type LedgerRow, LINES, NEEDS } from '../index-tables.ts'
import type { State } from '../open-state.ts'
import { checksum, taskOf } from '../read-tasks.ts'
import { countUnmet, entryValues, settleMoved, settleNumbers } from '../write-entries.ts'
import { insertPlain, isPlain, PLAIN_VALUES } from './plain-rows.ts'

export interface Build {
  add(placed: readonly PlacedTask[]): void
  finish(): void
}

export function openBuild(db: State, { lid, ledger }: Pick<LedgerRow, 'lid' | 'ledger'>): Build {
  const putBack = leaveOutIndexes(db)
  const insert = {
    entry: db.query(insertInto(ENTRIES)),
    plain: db.query(insertPlain(1)),
    plains: db.query(insertPlain(AT_ONCE)),
    line: db.query(insertInto(LINES)),
  }
  const needs = openNeeds(db)
  const renumbered: Task[] = []
  const moved: string[] = []
  const { first } = db.query('SELECT coalesce(max(row), 0) + 1 AS first FROM entries').get() as { first: number }
  let row = first
  /** The values of plain rows that are not written yet. */
  let waiting: Value[] = []
  const writeWaiting = (): void => {
    if (waiting.length === AT_ONCE * PLAIN_VALUES) insert.plains.run(...waiting)
    else
      for (let at = 0; at < waiting.length; at += PLAIN_VALUES)
        insert.plain.run(...waiting.slice(at, at + PLAIN_VALUES))
    waiting = []
  }
  const addPlain = ({ task, place }: PlacedTask, line: string): void => {
    const unmet = hasNeeds(task) ? needs.add(row, needsOf(task)) : 0
    const { uid, id, number, status, created_at, closed_at } = task
    waiting.push(row, lid, uid, place, id, number, titleOf(task), status, created_at, closed_at, unmet)
    if (waiting.length === AT_ONCE * PLAIN_VALUES) writeWaiting()
    insert.line.run(row, line, checksum(line))
    needs.know(row, uid, isBlocking(task, false))
  }
  const addOther = (placed: PlacedTask): void => {
    const { task } = placed
    const derived = derivedFields(task, ledger, placed.line)
    const unmet = needs.add(row, derived.needs)
    insert.entry.run(...entryValues(lid, row, { ...placed, derived, unmet }))
    insert.line.run(row, derived.line, checksum(derived.line))
    needs.know(row, task.uid, isBlocking(task, derived.isAway))
    if (task.renumbered.length > 0) renumbered.push(task)
    if (task.moved_to !== undefined) moved.push(task.uid)
  }
  return {
    add(placed) {
      for (const each of placed) {
        if (each.line !== undefined && isPlain(each.task)) addPlain(each, each.line)
        else addOther(each)
        row++
      }
      writeWaiting()
    },
    finish() {
      putBack()
      db.query('UPDATE ledgers SET tasks = tasks + ? WHERE lid = ?').run(row - first, lid)
      claimNumbers(db, lid, renumbered)
      needs.settle()
      for (const uid of moved) settleMoved(db, uid)
    },
  }
}

/** One statement for several rows takes two thirds of the time of one for each. */
const AT_ONCE = 8

/** Nearly every task that depends on others has one after which it comes. */
function needsOf(task: Task): string[] {
  const [only, ...others] = task.after
  const isOnly = only !== undefined && others.length + task.depends_on.length + task.based_on.length === 0
  return isOnly ? [uidOf(only)] : dependenciesOf(task).map(uidOf)
}

function hasNeeds({ after, depends_on, based_on }: Task): boolean {
  return after.length + depends_on.length + based_on.length > 0
}

/** The same as blockingSql. */
function isBlocking({ status, deleted }: Task, isAway: boolean): boolean {
  return isAway || (!deleted && (status === 'pending' || status === 'failed'))
}

/** Only numbers that two tasks claim, and tasks that were renumbered, need a closer look. */
function claimNumbers(db: State, lid: number, renumbered: readonly Task[]): void {
  // By row: with the index by uid, which SQLite would choose, the pages of the table would be read again and again.
  db.query('INSERT INTO claims (lid, number, uid) SELECT lid, number, uid FROM entries NOT INDEXED WHERE lid = ?').run(
    lid,
  )
  const claim = db.query(insertInto(CLAIMS, 'INSERT OR IGNORE'))
  for (const { uid, renumbered: numbers } of renumbered) for (const number of numbers) claim.run(lid, number, uid)
  for (const task of renumbered) settleNumbers(db, lid, task)
  const shared = db
    .query('SELECT min(uid) AS uid FROM claims WHERE lid = ? GROUP BY number HAVING count(*) > 1')
    .all(lid)
  for (const { uid } of shared as { uid: string }[]) {
    const task = taskOf(db, lid, uid)
    if (task !== null) settleNumbers(db, lid, task)
  }
}

interface Needs {
  /** How many of them keep the task from starting, as far as is known. */
  add(row: number, needed: readonly string[]): number
  know(row: number, uid: string, isBlocking: boolean): void
  settle(): void
}

/** Most tasks depend on earlier ones, whose rows are known. The others are counted again at the end. */
function openNeeds(db: State): Needs {
  const insert = db.query(insertInto(NEEDS))
  const rows = new Map<string, number>()
  const blocking = new Set<number>()
  const later: { row: number; uid: string }[] = []
  return {
    add(row, needed) {
      let unmet = 0
      for (const each of needed) {
        const known = rows.get(each)
        if (known === undefined) later.push({ row, uid: each })
        else insert.run(row, each, known)
        if (known === undefined || blocking.has(known)) unmet++
      }
      return unmet
    },
    know(row, uid, isBlocking) {
      rows.set(uid, row)
      if (isBlocking) blocking.add(row)
    },
    settle() {
      for (const { row, uid } of later) insert.run(row, uid, rows.get(uid) ?? null)
      countUnmet(db, new Set(later.map(({ row }) => row)))
    },
  }
}

/**
 * Removes the indexes by uid while many rows are added, if there are no rows yet; returns what puts them back. Uids have no
 * order: one sort of all of them is faster than a place in the middle for each. The others grow at their end, or are small.
 */
function leaveOutIndexes(db: State): () => void {
  if (db.query('SELECT 1 FROM entries LIMIT 1').get() !== null) return () => {}
  const found = db.query(`SELECT sql FROM sqlite_schema WHERE type = 'index' AND name IN ${BY_UID}`).values()
  // SQLite forgets what it knew about an index that is removed.
  const statistics = db.query(`SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx IN ${BY_UID}`).values()
  for (const name of NAMES) db.run(`DROP INDEX ${name}`)
  return () => {
    for (const [sql] of found as [string][]) db.run(sql)
    const tell = db.query('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)')
    for (const [table, index, stat] of statistics as [string, string, string][]) tell.run(table, index, stat)
    db.run('ANALYZE sqlite_schema')
  }
}

const NAMES = ['entries_uid', 'needs_needed']
const BY_UID = `('${NAMES.join("', '")}')`
