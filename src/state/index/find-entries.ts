/** Finds tasks by their names. */
import type { Candidate } from '../../core/task/ref/resolve-ref.ts'
import { SHORTEST_ID } from '../../core/task/task.ts'
import type { Value } from '../describe-table.ts'
import type { Entry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { selectEntries } from './select-entries.ts'

export function entryOf(db: State, lid: number, uid: string): Entry | undefined {
  return selectEntries(db, lid, 'e.uid = ?', uid)[0]
}

/** The places of those of the tasks that the ledger has, by uid. */
export function placesOf(db: State, lid: number, uids: readonly string[]): Map<string, number> {
  const find = db.query('SELECT place FROM entries INDEXED BY entries_uid WHERE lid = ? AND uid = ?')
  const places = new Map<string, number>()
  for (const uid of uids) {
    const row = find.get(lid, uid) as { place: number } | null
    if (row !== null) places.set(uid, row.place)
  }
  return places
}

/** Every task that ever had the number. */
export function entriesByNumber(db: State, lid: number, number: number): Candidate[] {
  return db
    .query(
      `SELECT ${CANDIDATE} FROM claims c CROSS JOIN entries e INDEXED BY entries_uid USING (lid, uid)
      WHERE c.lid = ? AND c.number = ? ORDER BY e.created_at, e.uid`,
    )
    .all(lid, number) as Candidate[]
}

export function entriesByUidPrefix(db: State, lid: number, hex: string, limit = 10): Candidate[] {
  return selectNamed(db, lid, 'e.uid >= ? AND e.uid < ? ORDER BY e.uid LIMIT ?', hex, `${hex}g`, limit)
}

/** The same without deleted tasks. */
export function undeletedByUidPrefix(db: State, lid: number, hex: string, limit: number): Candidate[] {
  const near = 'e.uid >= ? AND e.uid < ? AND e.deleted = 0 ORDER BY e.uid LIMIT ?'
  return selectNamed(db, lid, near, hex, `${hex}g`, limit)
}

/** The task with exactly this id. */
export function candidateWithId(db: State, lid: number, id: string): Candidate | undefined {
  const hex = id.slice('task-'.length)
  return hex.length < SHORTEST_ID ? undefined : selectNamed(db, lid, WITH_ID, hex, `${hex}g`, id)[0]
}

/** An id is the start of its uid. */
const WITH_ID = 'e.uid >= ? AND e.uid < ? AND e.id = ?'

const CANDIDATE = `e.uid, e.id, e.number, e.key, e.title, e.deleted,
  CASE WHEN e.away > 0 THEN e.moved_to END AS movedTo`

function selectNamed(db: State, lid: number, rest: string, ...values: Value[]): Candidate[] {
  const sql = `SELECT ${CANDIDATE} FROM entries e WHERE e.lid = ? AND ${rest}`
  return db.query(sql).all(lid, ...values) as Candidate[]
}

export function entryWithId(db: State, lid: number, id: string): Entry | undefined {
  const hex = id.slice('task-'.length)
  return hex.length < SHORTEST_ID ? undefined : selectEntries(db, lid, WITH_ID, hex, `${hex}g`, id)[0]
}

export function isIdTaken(db: State, lid: number, id: string): boolean {
  const hex = id.slice('task-'.length)
  if (hex.length < SHORTEST_ID) return false
  const sql = `SELECT 1 FROM entries e INDEXED BY entries_uid WHERE e.lid = ? AND ${WITH_ID}`
  return db.query(sql).get(lid, hex, `${hex}g`, id) !== null
}

/** Upper and lower case are equal in keys. Deleted tasks too. */
export function entriesWithKey(db: State, lid: number, key: string): Candidate[] {
  return selectNamed(db, lid, 'e.key = ? COLLATE NOCASE', key)
}

export function undeletedWithKey(db: State, lid: number, key: string): Entry[] {
  return selectEntries(db, lid, 'e.key = ? COLLATE NOCASE AND e.deleted = 0 ORDER BY e.place', key)
}

/** Tasks whose key another task has as well. A join may bring some together. */
export function entriesWithSharedKey(db: State, lid: number): Entry[] {
  const shared = `e.deleted = 0 AND e.key COLLATE NOCASE IN (
    SELECT key COLLATE NOCASE FROM entries WHERE lid = e.lid AND key IS NOT NULL AND deleted = 0
    GROUP BY key COLLATE NOCASE HAVING count(*) > 1) ORDER BY e.place`
  return selectEntries(db, lid, shared)
}

/** Tasks taken over from another tool have keys such as `beads:bd-1`. Deleted ones too. */
export function entriesOfTool(db: State, lid: number, tool: string): Entry[] {
  return selectEntries(db, lid, 'e.key >= ? AND e.key < ?', `${tool}:`, `${tool};`)
}

/** Every task that was filed from the plan, including deleted ones, in the order of filing. */
export function entriesOfPlan(db: State, lid: number, planFile: string): Entry[] {
  return selectEntries(db, lid, 'e.plan_file = ? ORDER BY e.place', planFile)
}

/** Tasks with keys that were filed from other plans. */
export function keyedEntriesOfOtherPlans(db: State, lid: number, planFile: string): Entry[] {
  return selectEntries(db, lid, 'e.plan_file <> ? AND e.key IS NOT NULL AND e.deleted = 0', planFile)
}

export function entriesOnBranch(db: State, lid: number, branch: string): Entry[] {
  return selectEntries(db, lid, 'e.branch = ? AND e.deleted = 0 ORDER BY e.place', branch)
}

/** The branch that the task was given. */
export function storedBranch(db: State, lid: number, uid: string): string | null {
  const row = db.query('SELECT branch FROM entries WHERE lid = ? AND uid = ?').get(lid, uid)
  return (row as { branch: string | null } | null)?.branch ?? null
}

/** Every task that was given a branch. */
export function branchedTasks(db: State, lid: number): { uid: string; branch: string }[] {
  return db
    .query('SELECT uid, branch FROM entries WHERE lid = ? AND branch IS NOT NULL AND deleted = 0 ORDER BY number')
    .all(lid) as { uid: string; branch: string }[]
}

/** Closed before their commit was made: the next commit on their branch closes them. */
export function entriesAwaitingCommit(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.awaits_commit = 1')
}

export function entriesClosedBy(db: State, lid: number, commit: string): Entry[] {
  return selectEntries(db, lid, 'e.closed_commit = ?', commit)
}

export interface LinkedCommit {
  uid: string
  id: string
  number: number
  commit: string
}

/** The commit of each closed task that has one, the task closed last first. */
export function linkedCommits(db: State, lid: number): LinkedCommit[] {
  return db
    .query(
      `SELECT uid, id, number, closed_commit AS "commit" FROM entries
      WHERE lid = ? AND closed_commit IS NOT NULL AND deleted = 0 AND status <> 'pending'
      ORDER BY closed_at DESC, place DESC`,
    )
    .all(lid) as LinkedCommit[]
}

export function entriesWithCommit(db: State, lid: number): Entry[] {
  return selectEntries(db, lid, 'e.closed_commit IS NOT NULL AND e.deleted = 0')
}

/** The tasks at these places of the ledger; `last` is not among them. */
export function uidsAtPlaces(db: State, lid: number, first: number, last: number): string[] {
  const rows = db.query('SELECT uid FROM entries WHERE lid = ? AND place >= ? AND place < ?').all(lid, first, last)
  return (rows as { uid: string }[]).map(({ uid }) => uid)
}
