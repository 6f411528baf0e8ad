/** From changed tasks to the files that a commit must write. Reads only the index; writes nothing. */
import { compareOrder, SHARD_TASKS } from '../../core/ledger/file-layout.ts'
import {
  allFiles,
  type KeptLines,
  keepLines,
  type LedgerFileChanges,
  NOTHING_KEPT,
  touchedFiles,
  touchedShards,
} from '../../core/ledger/task-files.ts'
import type { Task } from '../../core/task/task.ts'
import { placesOf, takenPlaces } from '../../state/index/find-entries.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { unreadableLines } from '../../state/index/ledger-files.ts'
import type { State } from '../../state/index/open-state.ts'
import { linesOfShards, tasksInOrder } from '../../state/index/read-tasks.ts'

export function ledgerFileChanges(
  db: State,
  row: LedgerRow,
  changed: readonly Task[],
  foundUnreadable: readonly string[] = [],
): LedgerFileChanges {
  const kept = keptLines(db, row, foundUnreadable)
  const places = placesOf(
    db,
    row.lid,
    changed.map(({ uid }) => uid),
  )
  const fresh = changed.filter((task) => !places.has(task.uid)).sort(compareOrder)
  if (!areLast(db, row, fresh)) return planAll(db, row, changed, kept)
  fresh.forEach((task, index) => {
    places.set(task.uid, row.places + index)
  })
  const placed = changed.map((task) => ({ task, place: places.get(task.uid) ?? 0 }))
  const change = { before: row, placed, places: row.places + fresh.length, kept }
  return touchedFiles(change, linesOfShards(db, row, touchedShards(change)))
}

function keptLines(db: State, { lid, unreadable }: LedgerRow, found: readonly string[]): KeptLines {
  return unreadable + found.length === 0 ? NOTHING_KEPT : keepLines(unreadableLines(db, lid), found)
}

/** Do the new tasks simply follow the existing ones? They do, except for joins and carried-over tasks. */
function areLast(db: State, row: LedgerRow, fresh: readonly Task[]): boolean {
  const first = fresh[0]
  return first === undefined || first.number > row.last_number || row.places === 0 || isAfterLast(db, row, first)
}

function isAfterLast(db: State, row: LedgerRow, first: Task): boolean {
  const shard = Math.floor((row.places - 1) / SHARD_TASKS)
  const last = linesOfShards(db, row, [shard]).get(shard)?.at(-1)
  return last !== undefined && compareOrder(JSON.parse(last.line), first) < 0
}

function planAll(db: State, row: LedgerRow, changed: readonly Task[], kept: KeptLines): LedgerFileChanges {
  const tasks = [...tasksInOrder(db, row.lid)]
  const shards = new Set(takenPlaces(db, row.lid).map((place) => Math.floor(place / SHARD_TASKS)))
  return allFiles({ ...row, tasks, lines: linesOfShards(db, row, shards) }, changed, kept)
}
