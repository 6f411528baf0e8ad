/** Writes the index of a ledger: brings rows up to date with the tasks that changed, and with nothing else. */

import { isArchived } from '../../core/task/status.ts'
import { dependenciesOf, PRIORITIES, type Task, titleOf, uidOf } from '../../core/task/task.ts'
import { numbersOf } from '../../core/task/task-ids.ts'
import { taskLine } from '../../core/task/task-line.ts'
import { taskOf } from './find-entries.ts'
import { lineSum } from './line-checksum.ts'
import { DamagedState, type State } from './open-state.ts'

export interface LedgerRow {
  lid: number
  ledger: string
  tip: string
  /** How many full shards precede the tail. */
  shards: number
  /** One more than the last task's place. */
  places: number
  tasks: number
  last_number: number
}

export interface PlacedTask {
  task: Task
  place: number
}

export function findLedger(db: State, ledger: string): LedgerRow | null {
  return db.query('SELECT * FROM ledgers WHERE ledger = ?').get(ledger) as LedgerRow | null
}

/** The ledgers that were there when the index saw them last. */
export function indexedLedgers(db: State): string[] {
  const rows = db.query("SELECT ledger FROM ledgers WHERE tip <> ''").all() as { ledger: string }[]
  return rows.map(({ ledger }) => ledger)
}

/** The row of a ledger, empty if the index has never seen it. */
export function ensureLedger(db: State, ledger: string): LedgerRow {
  db.query(
    "INSERT OR IGNORE INTO ledgers (ledger, tip, shards, places, tasks, last_number) VALUES (?, '', 0, 0, 0, 0)",
  ).run(ledger)
  return findLedger(db, ledger) as LedgerRow
}

export function setTip(db: State, lid: number, tip: string, shards: number): void {
  db.query(
    `UPDATE ledgers SET tip = ?2, shards = ?3,
      places = (SELECT coalesce(max(place) + 1, 0) FROM entries WHERE lid = ?1),
      last_number = (SELECT coalesce(max(number), 0) FROM claims WHERE lid = ?1)
    WHERE lid = ?1`,
  ).run(lid, tip, shards)
}

export function dropLedgerRows(db: State, lid: number): void {
  for (const table of ['lines', 'needs']) {
    db.query(`DELETE FROM ${table} WHERE row IN (SELECT row FROM entries WHERE lid = ?)`).run(lid)
  }
  for (const table of ['entries', 'claims', 'unreadable', 'artifacts']) {
    db.query(`DELETE FROM ${table} WHERE lid = ?`).run(lid)
  }
  db.query('UPDATE ledgers SET tasks = 0 WHERE lid = ?').run(lid)
}

/** A write puts the lines nobody can read behind the tasks of their file, in the order they had. */
export function moveUnreadable(db: State, lid: number, path: string, tasks: number): void {
  const kept = db.query('SELECT rowid FROM unreadable WHERE lid = ? AND path = ? ORDER BY line').all(lid, path)
  const move = db.query('UPDATE unreadable SET line = ? WHERE rowid = ?')
  for (const [at, { rowid }] of (kept as { rowid: number }[]).entries()) move.run(tasks + at + 1, rowid)
}

/** Inserts or replaces the rows of these tasks, then what follows from them: numbers and unmet dependencies. */
export function indexTasks(db: State, lid: number, placed: readonly PlacedTask[]): void {
  // Uids come in any order: with SQLite's usual 2 MB each of many would have a page written and read again.
  if (placed.length > MANY) db.run('PRAGMA cache_size = -65536')
  const { tasks } = db.query('SELECT tasks FROM ledgers WHERE lid = ?').get(lid) as { tasks: number }
  const { known, removed } = tasks === 0 ? { known: new Map(), removed: 0 } : clearPlaces(db, lid, placed)
  const added = placed.length - known.size - removed
  db.query('UPDATE ledgers SET tasks = tasks + ? WHERE lid = ?').run(added, lid)
  const rows = writeRows(db, lid, placed, known)
  for (const { task } of placed) settleNumbers(db, lid, task)
  settleNeeds(db, lid, { placed, rows, hasOthers: tasks > 0 })
}

const MANY = 1000

interface Cleared {
  /** The rows of the tasks that had one; they get them again. */
  known: Map<string, number>
  /** How many others stood at their places. */
  removed: number
}

/** Frees all places before any is taken, because they are unique and tasks may trade them. */
function clearPlaces(db: State, lid: number, placed: readonly PlacedTask[]): Cleared {
  const known = new Map<string, number>()
  const own = db.query('DELETE FROM entries WHERE lid = ? AND uid = ? RETURNING row')
  for (const { task } of placed)
    for (const { row } of own.all(lid, task.uid) as { row: number }[]) known.set(task.uid, row)
  const removed = placed.reduce((sum, { place }) => sum + removeAt(db, lid, place), 0)
  return { known, removed }
}

function removeAt(db: State, lid: number, place: number): number {
  const removed = db.query('DELETE FROM entries WHERE lid = ? AND place = ? RETURNING row').all(lid, place)
  for (const { row } of removed as { row: number }[]) {
    for (const table of ['lines', 'needs']) db.query(`DELETE FROM ${table} WHERE row = ?`).run(row)
    db.query('UPDATE needs SET needed_row = NULL WHERE needed_row = ?').run(row)
  }
  return removed.length
}

/** The row of each task: the one it had, or a new one behind all others, which are there again by then. */
function writeRows(
  db: State,
  lid: number,
  placed: readonly PlacedTask[],
  known: ReadonlyMap<string, number>,
): Map<string, number> {
  const entry = db.query(`INSERT INTO entries VALUES (${'?, '.repeat(26)}?)`)
  const keep = db.query('INSERT OR REPLACE INTO lines VALUES (?, ?, ?)')
  const claim = db.query('INSERT OR IGNORE INTO claims VALUES (?, ?, ?)')
  const rows = new Map<string, number>()
  const [old = [], fresh = []] = [true, false].map((is) => placed.filter(({ task }) => known.has(task.uid) === is))
  for (const { task, place } of [...old, ...fresh]) {
    const { lastInsertRowid } = entry.run(known.get(task.uid) ?? null, ...entryValues(lid, task, place))
    const line = taskLine(task)
    keep.run(lastInsertRowid, line, lineSum(line))
    for (const number of numbersOf(task)) claim.run(lid, number, task.uid)
    rows.set(task.uid, Number(lastInsertRowid))
  }
  return rows
}

function entryValues(lid: number, task: Task, place: number): (string | number | null)[] {
  return [
    lid,
    task.uid,
    place,
    task.id,
    task.number,
    task.key ?? null,
    titleOf(task),
    task.status,
    task.type,
    PRIORITIES.indexOf(task.priority),
    milestoneKey(task.milestone_id),
    task.group ?? null,
    task.parent ? uidOf(task.parent) : null,
    task.plan_file ?? null,
    task.project ?? null,
    task.branch ?? null,
    task.assigned_agent ?? null,
    task.created_at,
    task.closed_at,
    task.deleted ? 1 : 0,
    task.on_hold ? 1 : 0,
    0,
    openRunMachine(task),
    task.status !== 'pending' && task.closed_commit === null && task.closed_branch !== undefined ? 1 : 0,
    task.closed_commit,
    isArchived(task) ? 1 : 0,
  ]
}

/** M2 before M10, and tasks without a milestone last. */
function milestoneKey(milestone: string | undefined): string {
  return milestone === undefined ? '~' : milestone.replace(/\d+/g, (digits) => digits.padStart(8, '0'))
}

function openRunMachine(task: Task): string | null {
  const last = task.runs.at(-1)
  return last && !last.ended_at ? last.machine : null
}

/** A task goes by the first of its numbers that no earlier task claims. Only numbers claimed twice need a look. */
function settleNumbers(db: State, lid: number, task: Task): void {
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
  placed: readonly PlacedTask[]
  rows: ReadonlyMap<string, number>
  /** Has the ledger tasks that are not among these? */
  hasOthers: boolean
}

/** Counts again what holds up the changed tasks and the tasks that wait for them. A deleted task holds up nothing. */
function settleNeeds(db: State, lid: number, { placed, rows, hasOthers }: Indexed): void {
  const touched = new Set<number>()
  const forget = db.query('DELETE FROM needs WHERE row = ?')
  const need = db.query('INSERT INTO needs VALUES (?1, ?2, (SELECT row FROM entries WHERE lid = ?3 AND uid = ?2))')
  for (const { task } of placed) {
    const row = rows.get(task.uid) as number
    if (hasOthers) forget.run(row)
    for (const ref of dependenciesOf(task)) {
      touched.add(row)
      need.run(row, uidOf(ref), lid)
    }
  }
  if (hasOthers)
    for (const [uid, row] of rows) for (const waiting of linkWaiting(db, lid, uid, row)) touched.add(waiting)
  const count = db.query(
    `UPDATE entries SET unmet = (
      SELECT count(*) FROM needs n LEFT JOIN entries d ON d.row = n.needed_row
      WHERE n.row = ?1 AND (d.row IS NULL OR (d.deleted = 0 AND d.status NOT IN ('completed', 'skipped')))
    ) WHERE row = ?1`,
  )
  for (const row of touched) count.run(row)
}

/** The rows that wait for the task; from now on they know its row, which may be new. */
function linkWaiting(db: State, lid: number, uid: string, row: number): number[] {
  const waiting = db
    .query('SELECT n.row, n.needed_row FROM needs n CROSS JOIN entries e USING (row) WHERE n.needed = ? AND e.lid = ?')
    .all(uid, lid) as { row: number; needed_row: number | null }[]
  const link = db.query('UPDATE needs SET needed_row = ? WHERE row = ? AND needed = ?')
  for (const other of waiting) if (other.needed_row !== row) link.run(row, other.row, uid)
  return waiting.map((other) => other.row)
}
