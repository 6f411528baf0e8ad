/** From changed tasks to the files that a commit must write. Reads only the index; writes nothing. */
import { compareOrder } from '../../core/ledger/file-layout.ts'
import {
  allFiles,
  type Found,
  firstFree,
  type LedgerFileChanges,
  shardOfPlace,
  touchedFiles,
  touchedShards,
} from '../../core/ledger/task-files.ts'
import type { Task } from '../../core/task/task.ts'
import { allLines, linesOfShards } from '../../state/index/file-lines.ts'
import { placesOf } from '../../state/index/find-entries.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { unreadableLines } from '../../state/index/ledger-files.ts'
import type { State } from '../../state/index/open-state.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'

export function ledgerFileChanges(
  db: State,
  row: LedgerRow,
  changed: readonly Task[],
  joined: Found = {},
): LedgerFileChanges {
  const found = { ...joined, unreadable: newUnreadable(db, row, joined.unreadable ?? []) }
  const places = placesOf(
    db,
    row.lid,
    changed.map(({ uid }) => uid),
  )
  const fresh = changed.filter((task) => !places.has(task.uid)).sort(compareOrder)
  if (!areLast(db, row, fresh)) return planAll(db, row, changed, found)
  fresh.forEach((task, index) => {
    places.set(task.uid, firstFree(row) + index)
  })
  const placed = changed.map((task) => ({ task, place: places.get(task.uid) ?? 0 }))
  const change = { before: row, placed, fresh, ...found }
  return touchedFiles(change, linesOfShards(db, row, touchedShards(change)))
}

/** Lines that a join found and that are not here yet, in one order for all clones. */
function newUnreadable(db: State, { lid, unreadable }: LedgerRow, found: readonly string[]): string[] {
  if (found.length === 0) return []
  const known = new Set(unreadable === 0 ? [] : unreadableLines(db, lid).map(({ text }) => text))
  return [...new Set(found)].filter((line) => !known.has(line)).sort()
}

/** Do the new tasks simply follow the existing ones? They do, except for joins and carried-over tasks. */
function areLast(db: State, row: LedgerRow, fresh: readonly Task[]): boolean {
  const first = fresh[0]
  return first === undefined || first.number > row.last_number || row.places === 0 || isAfterLast(db, row, first)
}

function isAfterLast(db: State, row: LedgerRow, first: Task): boolean {
  const shard = shardOfPlace(row, row.places - 1)
  const lines = linesOfShards(db, row, [shard]).get(shard)?.lines
  const last = lines?.findLast(({ task }) => task !== null)?.task
  return last != null && compareOrder(JSON.parse(last.full), first) < 0
}

function planAll(db: State, row: LedgerRow, changed: readonly Task[], found: Found): LedgerFileChanges {
  const tasks = [...tasksInOrder(db, row.lid)]
  return allFiles({ ...row, tasks, lines: allLines(db, row) }, changed, found)
}
