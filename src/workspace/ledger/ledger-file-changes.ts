/** From changed tasks to the files that a commit must write. Reads only the index; writes nothing. */
import { compareOrder, SHARD_TASKS } from '../../core/ledger/file-layout.ts'
import {
  allFiles,
  type Found,
  firstFree,
  type LedgerFileChanges,
  type PlacedTask,
  shardOfPlace,
  touchedFiles,
  touchedShards,
} from '../../core/ledger/task-files.ts'
import type { Task } from '../../core/task/task.ts'
import { allLines, linesOfShards } from '../../state/index/file-lines.ts'
import { placesOf, uidsAtPlaces } from '../../state/index/find-entries.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { unreadableLines } from '../../state/index/ledger-files.ts'
import { DamagedState, type State } from '../../state/index/open-state.ts'
import { taskOf, tasksInOrder } from '../../state/index/read-tasks.ts'

export function ledgerFileChanges(
  db: State,
  row: LedgerRow,
  changed: readonly Task[],
  joined: Found = {},
): LedgerFileChanges {
  const found = { ...joined, unreadable: newUnreadable(db, row, joined.unreadable ?? []) }
  const uids: string[] = []
  for (const { uid } of changed) uids.push(uid)
  const places = placesOf(db, row.lid, uids)
  const fresh: Task[] = []
  for (const task of changed) if (!places.has(task.uid)) fresh.push(task)
  if (fresh.length > 1) fresh.sort(compareOrder)
  if (!areLast(db, row, fresh)) {
    const kept = keptShards(db, row, fresh[0] as Task, found)
    return kept === 0 ? planAll(db, row, changed, found) : planFrom(db, row, kept, { changed, places, found })
  }
  const known = new Set(places.keys())
  for (const [index, task] of fresh.entries()) places.set(task.uid, firstFree(row) + index)
  const placed: PlacedTask[] = []
  for (const task of changed) placed.push({ task, place: places.get(task.uid) ?? 0, isNew: !known.has(task.uid) })
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

/**
 * How many full shards stay as they are when the first of the new tasks comes before others: those whose tasks all precede
 * it. None if another program has written into the ledger, because then a shard may have fewer tasks than places.
 */
function keptShards(db: State, row: LedgerRow, first: Task, { unreadable = [] }: Found): number {
  if (row.foreign + row.unreadable + unreadable.length > 0 || row.places !== row.tasks) return 0
  let [low, high] = [0, row.places]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [uid = ''] = uidsAtPlaces(db, row.lid, middle, middle + 1)
    const task = taskOf(db, row.lid, uid)
    if (task === null) throw new DamagedState(`the index has no task at place ${middle}`)
    if (compareOrder(task, first) < 0) low = middle + 1
    else high = middle
  }
  return shardOfPlace(row, low)
}

interface PlacedChanges {
  changed: readonly Task[]
  places: ReadonlyMap<string, number>
  found: Found
}

/** The files after the kept ones are laid out again; in the kept ones only the lines of changed tasks change. */
function planFrom(
  db: State,
  row: LedgerRow,
  kept: number,
  { changed, places, found }: PlacedChanges,
): LedgerFileChanges {
  const first = kept * SHARD_TASKS
  const isKept = ({ uid }: Task) => (places.get(uid) ?? first) < first
  const early = changed.filter(isKept).map((task) => ({ task, place: places.get(task.uid) ?? 0 }))
  const shards = new Set(early.map(({ place }) => shardOfPlace(row, place)))
  const change = { before: row, placed: early, fresh: [], spellings: found.spellings }
  const { files } = touchedFiles(change, linesOfShards(db, row, shards))
  const uids = uidsAtPlaces(db, row.lid, first, Number.MAX_SAFE_INTEGER)
  const tasks = uids.flatMap((uid) => taskOf(db, row.lid, uid) ?? [])
  const later = Array.from({ length: row.shards - kept + 1 }, (_, index) => kept + index)
  const lines = linesOfShards(db, row, later)
  const late = allFiles(
    { ...row, kept, tasks, lines },
    changed.filter((task) => !isKept(task)),
    found,
  )
  return { ...late, files: new Map([...files, ...late.files]), placed: [...early, ...late.placed] }
}

function planAll(db: State, row: LedgerRow, changed: readonly Task[], found: Found): LedgerFileChanges {
  const tasks = [...tasksInOrder(db, row.lid)]
  return allFiles({ ...row, kept: 0, tasks, lines: allLines(db, row) }, changed, found)
}
