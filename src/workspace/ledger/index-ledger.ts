/**
 * Keeps the index up to date with the ledger: a current index costs nothing, a stale one reads the changed shards, a
 * missing one reads everything.
 */

import { largeNameIn, SHARD_TASKS, shardOfFile, TAIL_FILE, writeTask } from '../../core/ledger/file-layout.ts'
import type { PlacedTask } from '../../core/ledger/task-files.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { type LedgerChange, openWhole, readChange } from '../../ledger/read-files.ts'
import type { TaskFile } from '../../ledger/task-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { openBuild } from '../../state/index/build/build-entries.ts'
import { withoutLog } from '../../state/index/build/without-log.ts'
import { lineInFile } from '../../state/index/file-lines.ts'
import { entryOf, uidsAtPlaces } from '../../state/index/find-entries.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { setArtifact, setForeignFile, setUnreadable } from '../../state/index/ledger-files.ts'
import { dropLedgerRows, ensureLedger, setTip } from '../../state/index/ledger-rows.ts'
import type { State } from '../../state/index/open-state.ts'
import { indexTasks } from '../../state/index/write-entries.ts'
import { recordLostTip } from '../lost/lost-tips.ts'
import type { Workspace } from '../workspace.ts'
import { takeMoving } from './beside/moving-ledger.ts'

export type Indexed = Pick<Workspace, 'repo' | 'state' | 'indexing'>

/** Updates the rows of `ledger` to `tip`. The caller holds the write lock. */
export function indexLedger(ws: Indexed, ledger: string, tip: string | null): LedgerRow {
  const { repo, state: db } = ws
  const row = ensureLedger(db, ledger)
  if (row.tip === (tip ?? '')) return row
  const moving = takeMoving(repo, row.tip, tip)
  if (moving !== null) {
    moving.index()
    return ensureLedger(db, ledger)
  }
  if (tip === null) {
    recordLostTip(repo, { ledger, tip: row.tip }, null)
    dropLedgerRows(db, row.lid)
    setTip(db, row.lid, { tip: '', shards: 0 })
    return ensureLedger(db, ledger)
  }
  const step = row.tip === '' ? null : readStep(repo, db, row, tip)
  if (step === null || !applyChange(db, row, step, tip)) rebuild(ws, row, tip)
  return ensureLedger(db, ledger)
}

/**
 * What changed since the indexed commit. Null if that commit or one of its files is missing, as after a rewind, or if
 * files changed that other lines of the index depend on.
 */
function readStep(repo: Repo, db: State, row: LedgerRow, to: string): LedgerChange | null {
  const step = tryGit(repo, ['merge-base', '--is-ancestor', row.tip, to])
  if (step.code !== 0) recordLostTip(repo, { ledger: row.ledger, tip: row.tip }, to)
  if (step.code > 1) return null
  const change = readIfSound(repo, row.tip, to)
  if (change === null) return null
  if (change.lostLarge.length > 0 || change.files.some((file) => file.isGone) || movesTail(row, change)) return null
  const large = change.large.map((task) => effectOf(db, row, task))
  if (large.includes('unclear')) return null
  return { ...change, large: change.large.filter((_, at) => large[at] === 'changed') }
}

/** Null if one of the two is damaged. If it is the present one, reading all of it reports that. */
function readIfSound(repo: Repo, from: string, to: string): LedgerChange | null {
  try {
    return readChange(repo, from, to)
  } catch (error) {
    if (error instanceof UserError && error.code === 'LEDGER_DAMAGED') return null
    throw error
  }
}

/** A new shard before a tail that did not change: its tasks have other places now. */
function movesTail(row: LedgerRow, { files }: LedgerChange): boolean {
  const isNewShard = (path: string) => (shardOfFile(path) ?? -1) >= row.shards
  return files.some(({ path }) => isNewShard(path)) && !files.some(({ path }) => path === TAIL_FILE)
}

/**
 * What a large file means that changed without its shard. Nothing, if the shard has the whole task. If the task's line
 * was unreadable, or no longer is the one that gza would write, the shard must be read too.
 */
function effectOf(db: State, row: LedgerRow, task: Task): 'changed' | 'none' | 'unclear' {
  const line = lineInFile(db, row, task.uid)
  if (line === null) return 'unclear'
  if (largeNameIn(line) === null) return 'none'
  return writeTask(taskLine(task)).line === line ? 'changed' : 'unclear'
}

/** Runs `write`, which indexes the ledger under the lock. A large one that the index does not have yet is read at once. */
export function fillFast<T>({ repo, state }: Indexed, row: LedgerRow | null, tip: string | null, write: () => T): T {
  if (tip === null || (row !== null && row.tip !== '')) return write()
  return openWhole(repo, tip).taskFiles.length < MANY_FILES ? write() : withoutLog(state, write)
}

/** With fewer, two more syncs to disk would take longer than the log does. */
const MANY_FILES = 50

function rebuild({ repo, state: db, indexing }: Indexed, row: LedgerRow, tip: string): void {
  const ledger = openWhole(repo, tip)
  const shards = countShards(0, ledger.taskFiles)
  dropLedgerRows(db, row.lid)
  const build = openBuild(db, row)
  let read = 0
  for (const files of ledger.parts()) {
    // The runtime would keep twice as much memory, for texts that nobody needs any more.
    if (read > 0) Bun.gc(true)
    for (const file of files) {
      build.add(placeTasks(file, shards))
      if (file.unreadable.length > 0 || file.foreign !== null) recordFile(db, row, file)
    }
    read += files.length
    indexing?.(read, ledger.taskFiles.length)
  }
  build.finish()
  for (const { path, blob } of ledger.artifacts) setArtifact(db, row.lid, path, blob)
  setTip(db, row.lid, { tip, shards })
}

function countShards(before: number, paths: readonly string[]): number {
  return Math.max(before, ...paths.map((path) => (shardOfFile(path) ?? -1) + 1))
}

/**
 * False, and nothing done, if tasks disappeared from the ledger: tasks that waited for them may be in shards that were
 * not read.
 */
function applyChange(db: State, row: LedgerRow, change: LedgerChange, tip: string): boolean {
  const shards = countShards(
    row.shards,
    change.files.map(({ path }) => path),
  )
  const placed = change.files.flatMap((file) => placeTasks(file, shards))
  for (const task of change.large) {
    const entry = entryOf(db, row.lid, task.uid)
    if (entry) placed.push({ task, place: entry.place })
  }
  if (hasVanished(db, row.lid, change.files, shards, placed)) return false
  indexTasks(db, row.lid, placed)
  for (const file of change.files) recordFile(db, row, file)
  for (const { path, blob } of change.artifacts) setArtifact(db, row.lid, path, blob)
  setTip(db, row.lid, { tip, shards })
  return true
}

/** What the file has besides tasks as gza writes them. */
function recordFile(db: State, { lid }: LedgerRow, { path, unreadable, foreign, tasks }: TaskFile): void {
  setUnreadable(db, lid, path, unreadable)
  setForeignFile(db, lid, path, foreign === null ? null : { tasks: tasks.length, text: foreign })
}

function placeTasks(file: TaskFile, shards: number): PlacedTask[] {
  const first = firstPlace(file.path, shards)
  return file.tasks.map((task, index) => ({ task, place: first + index, line: file.spellings[index]?.full }))
}

function firstPlace(path: string, shards: number): number {
  return (path === TAIL_FILE ? shards : (shardOfFile(path) ?? shards)) * SHARD_TASKS
}

/** Was a task in a changed file that is now in none? */
function hasVanished(
  db: State,
  lid: number,
  files: readonly TaskFile[],
  shards: number,
  placed: readonly PlacedTask[],
): boolean {
  const present = new Set(placed.map(({ task }) => task.uid))
  return files.some((file) => {
    const first = firstPlace(file.path, shards)
    const last = file.path === TAIL_FILE ? Number.MAX_SAFE_INTEGER : first + SHARD_TASKS
    return uidsAtPlaces(db, lid, first, last).some((uid) => !present.has(uid))
  })
}
