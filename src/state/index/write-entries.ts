/** Writes the index of a ledger: updates the rows of the tasks that changed, and nothing else. */

import { type DerivedFields, derivedFields } from '../../core/ledger/derived-fields.ts'
import type { LedgerFileChanges, PlacedTask } from '../../core/ledger/task-files.ts'
import { filedIn } from '../../core/task/filed-in.ts'
import { openQuestion } from '../../core/task/questions.ts'
import { PRIORITIES, type Task, uidOf } from '../../core/task/task.ts'
import { numbersOf } from '../../core/task/task-ids.ts'
import { insertInto, type Value, valuesOf } from '../describe-table.ts'
import { CLAIMS, ENTRIES, type LedgerRow, LINES, NEEDS } from './index-tables.ts'
import { setForeignFile } from './ledger-files.ts'
import { setTip } from './ledger-rows.ts'
import { DamagedState, type State } from './open-state.ts'
import { checksum, taskOf } from './read-tasks.ts'
import { blockingSql, finishedSql } from './status-sql.ts'

/** Throws if the index can only be read. SQLite begins a transaction nevertheless, but not as the only writer. */
export function assertWritable(db: State): void {
  db.run('DELETE FROM answers WHERE 0')
}

/** Inserts or replaces the rows of these tasks, then what follows from them: numbers and unmet dependencies. */
export function indexTasks(db: State, lid: number, placed: readonly PlacedTask[]): void {
  useLargeCache(db, placed)
  const known = db.query('SELECT lid, tasks, ledger FROM ledgers WHERE lid = ?').get(lid) as KnownLedger
  const added = putTasks(db, known, placed)
  db.query('UPDATE ledgers SET tasks = tasks + ? WHERE lid = ?').run(added, lid)
}

type KnownLedger = Pick<LedgerRow, 'lid' | 'tasks' | 'ledger'> & Partial<Pick<LedgerRow, 'last_number'>>

/** Returns how many tasks the ledger has more than before. */
function putTasks(db: State, ledger: KnownLedger, placed: readonly PlacedTask[]): number {
  const { lid, tasks, last_number } = ledger
  const { known, removed } = tasks === 0 ? { known: NO_ROWS, removed: 0 } : clearPlaces(db, lid, placed)
  const rows = writeRows(db, ledger, placed, known)
  const [first] = placed
  // Nobody else has the next number.
  const hasNext = placed.length === 1 && last_number !== undefined && (first?.task.number ?? 0) > last_number
  if (!hasNext) for (const { task } of placed) settleNumbers(db, lid, task)
  settleNeeds(db, lid, { rows, known, hasOthers: tasks > 0 })
  for (const { task } of placed) if (task.moved_to !== undefined) settleMoved(db, task.uid)
  return placed.length - known.size - removed
}

const NO_ROWS: ReadonlyMap<string, number> = new Map()

/** The same for a change that moved the ledger from the indexed commit to the next. */
export function indexChange(
  db: State,
  before: LedgerRow,
  { placed, shards, foreign }: Pick<LedgerFileChanges, 'placed' | 'shards' | 'foreign'>,
  tip: string,
): void {
  const { lid } = before
  useLargeCache(db, placed)
  const added = putTasks(db, before, placed)
  for (const [path, file] of foreign ?? []) setForeignFile(db, lid, path, file)
  setTip(db, lid, { tip, shards, added })
}

/**
 * Uids have no order: with SQLite's usual 2 MB the same pages would be written and read again and again. Readers do not
 * gain from it, and would keep 20 MB more (100,000 tasks).
 */
function useLargeCache(db: State, placed: readonly PlacedTask[]): void {
  if (placed.length > MANY) db.run('PRAGMA cache_size = -65536')
}

const MANY = 1000

interface Cleared {
  /** The rows of the tasks that had one; they get them again. */
  known: Map<string, number>
  /** How many other tasks were at their places. */
  removed: number
}

/** Frees all places before any is taken, because they are unique and tasks may trade them. */
function clearPlaces(db: State, lid: number, placed: readonly PlacedTask[]): Cleared {
  const known = new Map<string, number>()
  const old: PlacedTask[] = []
  for (const each of placed) if (!each.isNew) old.push(each)
  if (old.length === 0) return { known, removed: 0 }
  const own = db.query('DELETE FROM entries INDEXED BY entries_uid WHERE lid = ? AND uid = ? RETURNING row')
  for (const { task } of old)
    for (const { row } of own.all(lid, task.uid) as { row: number }[]) known.set(task.uid, row)
  let removed = 0
  for (const { place } of old) removed += removeAt(db, lid, place)
  return { known, removed }
}

function removeAt(db: State, lid: number, place: number): number {
  const sql = 'DELETE FROM entries INDEXED BY entries_place WHERE lid = ? AND place = ? RETURNING row'
  const removed = db.query(sql).all(lid, place)
  for (const { row } of removed as { row: number }[]) {
    for (const table of ['lines', 'needs']) db.query(`DELETE FROM ${table} WHERE row = ?`).run(row)
    db.query('UPDATE needs SET needed_row = NULL WHERE needed_row = ?').run(row)
  }
  return removed.length
}

/** The row of each task: its earlier one, or a new one after all others, which are there again by then. */
function writeRows(
  db: State,
  { lid, ledger }: { lid: number; ledger: string },
  placed: readonly PlacedTask[],
  known: ReadonlyMap<string, number>,
): Map<string, IndexedRow> {
  const entry = db.query(insertInto(ENTRIES))
  const keep = db.query(insertInto(LINES, 'INSERT OR REPLACE'))
  const claim = db.query(insertInto(CLAIMS, 'INSERT OR IGNORE'))
  const rows = new Map<string, IndexedRow>()
  const old: PlacedTask[] = []
  const fresh: PlacedTask[] = []
  for (const each of placed) (known.has(each.task.uid) ? old : fresh).push(each)
  for (const { task, place, line: given } of [...old, ...fresh]) {
    const derived = derivedFields(task, ledger, given)
    const { line, numbers, needs } = derived
    const { lastInsertRowid } = entry.run(...entryValues(lid, known.get(task.uid) ?? null, { task, place, derived }))
    keep.run(lastInsertRowid, line, checksum(line))
    for (const number of numbers) claim.run(lid, number, task.uid)
    rows.set(task.uid, { row: Number(lastInsertRowid), needs })
  }
  return rows
}

interface IndexedRow extends Pick<DerivedFields, 'needs'> {
  row: number
}

/** `unmet`: how many of its dependencies are not finished, if that is known. */
export function entryValues(
  lid: number,
  row: number | null,
  {
    task,
    place,
    unmet = 0,
    derived: { title, isArchived, isAway, openRuns },
  }: PlacedTask & { derived: DerivedFields; unmet?: number },
): Value[] {
  const isAwaitingCommit = task.status !== 'pending' && task.closed_commit === null && task.closed_branch !== undefined
  return valuesOf(ENTRIES, {
    row,
    lid,
    uid: task.uid,
    place,
    id: task.id,
    number: task.number,
    key: task.key ?? null,
    title,
    status: task.status,
    type: task.type,
    priority: PRIORITIES.indexOf(task.priority),
    milestone: milestoneKey(task.milestone_id),
    milestone_id: task.milestone_id ?? null,
    grp: task.group ?? null,
    parent: task.parent ? uidOf(task.parent) : null,
    plan_file: task.plan_file ?? null,
    project: task.project ?? null,
    branch: task.branch ?? null,
    assigned_agent: task.assigned_agent ?? null,
    created_at: task.created_at,
    closed_at: task.closed_at,
    deleted: task.deleted || isAway ? 1 : 0,
    moved_to: task.moved_to ?? null,
    away: isAway ? 1 : 0,
    on_hold: task.on_hold ? 1 : 0,
    asks: openQuestion(task) === null ? 0 : 1,
    unmet,
    open_runs: openRuns,
    awaits_commit: isAwaitingCommit ? 1 : 0,
    closed_commit: task.closed_commit,
    archived: isArchived ? 1 : 0,
    has_runs: hasRuns(task) ? 1 : 0,
    ties: tiesOf(task),
    filed_in: filedIn(task)?.run ?? null,
  })
}

/** Only then does its line contain the progress of its runs and reviews. */
function hasRuns({ runs, phases, final_verdict, max_review_cycles }: Task): boolean {
  return runs.length > 0 || phases.length > 0 || final_verdict !== undefined || max_review_cycles !== undefined
}

export function tiesOf({ depends_on, based_on, files_to_create = [], files_to_modify = [] }: Task): number {
  const names = depends_on.length + based_on.length > 0 ? 1 : 0
  return names + (files_to_create.length + files_to_modify.length > 0 ? 2 : 0)
}

/** M2 before M10, and tasks without a milestone last. */
function milestoneKey(milestone: string | undefined): string {
  return milestone === undefined ? '~' : milestone.replace(/\d+/g, (digits) => digits.padStart(8, '0'))
}

/** A task has the first of its numbers that no earlier task claims. Only numbers claimed twice need a check. */
export function settleNumbers(db: State, lid: number, task: Task): void {
  const count = db.query('SELECT count(*) AS claims FROM claims WHERE lid = ? AND number = ?')
  const isShared = (number: number) => (count.get(lid, number) as { claims: number }).claims > 1
  if (task.renumbered.length === 0 && !isShared(task.number)) return
  for (const uid of new Set(numbersOf(task).flatMap((number) => claimants(db, lid, number)))) {
    const claimant = uid === task.uid ? task : taskOf(db, lid, uid)
    if (claimant === null) throw new DamagedState(`the index has no line for ${uid}`)
    const numbers = numbersOf(claimant).sort((a, b) => a - b)
    const owned = numbers.find((number) => claimants(db, lid, number)[0] === uid)
    const settle = db.query('UPDATE entries SET number = ? WHERE lid = ? AND uid = ?')
    settle.run(owned ?? numbers[0] ?? task.number, lid, uid)
  }
}

/** The tasks that ever had the number, earliest first. */
function claimants(db: State, lid: number, number: number): string[] {
  const rows = db
    .query(
      `SELECT c.uid FROM claims c CROSS JOIN entries e USING (lid, uid) WHERE c.lid = ? AND c.number = ? ORDER BY e.created_at, c.uid`,
    )
    .all(lid, number)
  return (rows as { uid: string }[]).map((row) => row.uid)
}

interface Indexed {
  rows: ReadonlyMap<string, IndexedRow>
  /** Those that had a row before. */
  known: ReadonlyMap<string, number>
  /** Has the ledger tasks that are not among these? */
  hasOthers: boolean
}

/**
 * Counts again the unmet dependencies of the changed tasks and of the tasks that wait for them. A deleted task blocks
 * nothing.
 */
function settleNeeds(db: State, lid: number, { rows, known, hasOthers }: Indexed): void {
  const touched = new Set<number>()
  let need: ReturnType<State['query']> | undefined
  for (const [own, { row, needs }] of rows) {
    if (known.has(own)) db.query('DELETE FROM needs WHERE row = ?').run(row)
    for (const uid of needs) {
      need ??= db.query(
        `INSERT INTO needs (${NEEDS.names().join(', ')}) VALUES (?1, ?2, (SELECT row FROM entries WHERE lid = ?3 AND uid = ?2))`,
      )
      touched.add(row)
      need.run(row, uid, lid)
    }
  }
  if (hasOthers)
    for (const [uid, { row }] of rows) for (const waiting of linkWaiting(db, lid, uid, row)) touched.add(waiting)
  countUnmet(db, touched)
}

export function countUnmet(db: State, rows: ReadonlySet<number>): void {
  if (rows.size === 0) return
  const count = db.query(
    `UPDATE entries SET unmet = (
      SELECT count(*) FROM needs n LEFT JOIN entries d ON d.row = n.needed_row
      WHERE n.row = ?1 AND (d.row IS NULL OR ${blockingSql('d')})
    ) WHERE row = ?1`,
  )
  for (const row of rows) count.run(row)
}

/**
 * A task that moved away is finished when the line that people see is. That line is in another ledger: the rows of the
 * task in all ledgers follow it, and so do the tasks that wait for them.
 */
export function settleMoved(db: State, uid: string): void {
  const visible = db
    .query(
      `SELECT max(${finishedSql()} OR deleted = 1) AS done FROM entries
      WHERE uid = ? AND moved_to IS NOT NULL AND away = 0`,
    )
    .get(uid) as { done: number | null }
  const changed = db
    .query('UPDATE entries SET away = ?2 WHERE uid = ?1 AND moved_to IS NOT NULL AND away NOT IN (0, ?2) RETURNING row')
    .all(uid, visible.done === 1 ? 2 : 1) as { row: number }[]
  const waiting = db.query('SELECT row FROM needs WHERE needed = ? AND needed_row = ?')
  for (const { row } of changed)
    countUnmet(db, new Set((waiting.all(uid, row) as { row: number }[]).map((need) => need.row)))
}

/** The rows that wait for the task; from now on they point to its row, which may be new. */
function linkWaiting(db: State, lid: number, uid: string, row: number): number[] {
  const waiting = db
    .query(
      `SELECT n.row, n.needed_row FROM needs n INDEXED BY needs_needed CROSS JOIN entries e USING (row)
      WHERE n.needed = ? AND e.lid = ?`,
    )
    .all(uid, lid) as { row: number; needed_row: number | null }[]
  const rows: number[] = []
  for (const other of waiting) {
    rows.push(other.row)
    if (other.needed_row !== row)
      db.query('UPDATE needs SET needed_row = ? WHERE row = ? AND needed = ?').run(row, other.row, uid)
  }
  return rows
}
