/** Writes the index of a ledger: brings rows up to date with the tasks that changed, and with nothing else. */
import { numbersOf } from '../../core/identity.ts'
import { dependenciesOf, PRIORITIES, type Task, titleOf, uidOf } from '../../core/task.ts'
import { taskLine } from '../../core/task-line.ts'
import type { State } from './open-state.ts'
import { lineSum } from './sound-line.ts'

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
  for (const table of ['entries', 'lines', 'needs', 'claims', 'unreadable', 'artifacts']) {
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
  clearPlaces(db, lid, placed)
  for (const { task, place } of placed) indexTask(db, lid, task, place)
  for (const { task } of placed) settleNumbers(db, lid, task)
  settleNeeds(db, lid, placed)
}

// Places are unique, and tasks may trade them: free them all before any is taken.
function clearPlaces(db: State, lid: number, placed: readonly PlacedTask[]): void {
  const remove = db.query('DELETE FROM entries WHERE lid = ? AND (uid = ? OR place = ?)')
  let removed = 0
  for (const { task, place } of placed) removed += remove.run(lid, task.uid, place).changes
  db.query('UPDATE ledgers SET tasks = tasks + ? WHERE lid = ?').run(placed.length - removed, lid)
}

function indexTask(db: State, lid: number, task: Task, place: number): void {
  db.query(`INSERT INTO entries VALUES (${'?, '.repeat(24)}?)`).run(...entryValues(lid, task, place))
  const line = taskLine(task)
  db.query('INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?)').run(lid, task.uid, line, lineSum(line))
  db.query('DELETE FROM needs WHERE lid = ? AND uid = ?').run(lid, task.uid)
  const need = db.query('INSERT INTO needs VALUES (?, ?, ?)')
  for (const ref of dependenciesOf(task)) need.run(lid, task.uid, uidOf(ref))
  const claim = db.query('INSERT OR IGNORE INTO claims VALUES (?, ?, ?)')
  for (const number of numbersOf(task)) claim.run(lid, number, task.uid)
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
  const rivals = db.query(
    `SELECT c.uid FROM claims c CROSS JOIN entries e USING (lid, uid) WHERE c.lid = ? AND c.number = ? ORDER BY e.created_at, c.uid`,
  )
  const clashing = new Set<string>()
  for (const number of numbersOf(task)) {
    const uids = (rivals.all(lid, number) as { uid: string }[]).map((row) => row.uid)
    if (uids.length > 1 || task.renumbered.length > 0) for (const uid of uids) clashing.add(uid)
  }
  for (const uid of clashing) {
    const claims = db.query('SELECT number FROM claims WHERE lid = ? AND uid = ? ORDER BY number').all(lid, uid) as {
      number: number
    }[]
    const owned = claims.find(({ number }) => (rivals.get(lid, number) as { uid: string }).uid === uid)
    db.query('UPDATE entries SET number = ? WHERE lid = ? AND uid = ?').run(
      owned?.number ?? claims[0]?.number ?? task.number,
      lid,
      uid,
    )
  }
}

/** Counts again what holds up the changed tasks and the tasks that wait for them. A deleted task holds up nothing. */
function settleNeeds(db: State, lid: number, placed: readonly PlacedTask[]): void {
  const count = db.query(
    `UPDATE entries SET unmet = (
      SELECT count(*) FROM needs n LEFT JOIN entries d ON d.lid = n.lid AND d.uid = n.needed
      WHERE n.lid = ?1 AND n.uid = ?2 AND (d.uid IS NULL OR (d.deleted = 0 AND d.status NOT IN ('completed', 'skipped')))
    ) WHERE lid = ?1 AND uid = ?2`,
  )
  const waiting = db.query('SELECT uid FROM needs WHERE lid = ? AND needed = ?')
  const touched = new Set(placed.map(({ task }) => task.uid))
  for (const { task } of placed) for (const row of waiting.all(lid, task.uid) as { uid: string }[]) touched.add(row.uid)
  for (const uid of touched) count.run(lid, uid)
}
