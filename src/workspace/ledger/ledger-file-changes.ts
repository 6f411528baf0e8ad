/** From changed tasks to the files that a commit must write. Reads only the index; writes nothing. */
import {
  compareOrder,
  FORMAT,
  FORMAT_FILE,
  fileOfShard,
  fileText,
  fullShards,
  largeFile,
  SHARD_TASKS,
  TAIL_FILE,
  writeTask,
} from '../../core/ledger/file-layout.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import type { Task } from '../../core/task/task.ts'
import { entryOf, takenPlaces } from '../../state/index/find-entries.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { unreadableLines } from '../../state/index/ledger-files.ts'
import type { State } from '../../state/index/open-state.ts'
import { lineOf, linesOfShard, tasksInOrder } from '../../state/index/read-tasks.ts'
import type { PlacedTask } from '../../state/index/write-entries.ts'

export interface LedgerFileChanges {
  files: Map<string, string | null>
  /** Every task whose row must change: the changed ones, and all that moved. */
  placed: PlacedTask[]
  shards: number
  /**
   * The number of task lines in each written file that also has unreadable lines after them; null if all files were
   * laid out again.
   */
  keptBehind: Map<string, number> | null
}

export function ledgerFileChanges(
  db: State,
  row: LedgerRow,
  changed: readonly Task[],
  foundUnreadable: readonly string[] = [],
): LedgerFileChanges {
  const kept = keptLines(db, row.lid, foundUnreadable)
  const known = changed.flatMap(({ uid }) => entryOf(db, row.lid, uid) ?? [])
  const places = new Map(known.map(({ uid, place }) => [uid, place]))
  const fresh = changed.filter((task) => !places.has(task.uid)).sort(compareOrder)
  if (!areLast(db, row, fresh)) return planAll(db, row, changed, kept)
  fresh.forEach((task, index) => {
    places.set(task.uid, row.places + index)
  })
  const placed = changed.map((task) => ({ task, place: places.get(task.uid) ?? 0 }))
  return planTouched(db, row, placed, row.places + fresh.length, kept)
}

/** Do the new tasks simply follow the existing ones? They do, except for joins and carried-over tasks. */
function areLast(db: State, row: LedgerRow, fresh: readonly Task[]): boolean {
  const first = fresh[0]
  return first === undefined || first.number > row.last_number || row.places === 0 || isAfterLast(db, row, first)
}

function isAfterLast(db: State, row: LedgerRow, first: Task): boolean {
  const last = linesOfShard(db, row, Math.floor((row.places - 1) / SHARD_TASKS)).at(-1)
  return last !== undefined && compareOrder(JSON.parse(last.line), first) < 0
}

/** The shards of the changed tasks, and the tail from its old to its new end. */
function planTouched(
  db: State,
  row: LedgerRow,
  placed: readonly PlacedTask[],
  places: number,
  kept: KeptLines,
): LedgerFileChanges {
  const changed = Map.groupBy(placed, ({ place }) => Math.floor(place / SHARD_TASKS))
  const shards = new Set(changed.keys())
  if (places > row.places) for (let shard = row.shards; shard <= fullShards(places); shard++) shards.add(shard)
  const files = new Map<string, string | null>(largeFiles(db, row.lid, placed))
  const keptBehind = new Map<string, number>()
  if (kept.hasNew) shards.add(fullShards(places))
  for (const shard of shards) {
    const lines = new Map(linesOfShard(db, row, shard).map(({ place, line }) => [place, line]))
    for (const { task, place } of changed.get(shard) ?? []) lines.set(place, taskLine(task))
    const ordered = [...lines].sort(([a], [b]) => a - b).map(([, line]) => writeTask(line).line)
    const file = fileOfShard(shard, places)
    files.set(file, fileText(ordered, kept.byFile.get(file) ?? []))
    if (kept.byFile.has(file)) keptBehind.set(file, ordered.length)
  }
  if (row.tip === '') files.set(FORMAT_FILE, `${FORMAT}\n`)
  return { files, placed: [...placed], shards: fullShards(places), keptBehind }
}

/** Lays out the whole ledger again and keeps what differs: tasks from elsewhere may belong between the others. */
function planAll(db: State, row: LedgerRow, changed: readonly Task[], kept: KeptLines): LedgerFileChanges {
  const before = [...tasksInOrder(db, row.lid)]
  const tasks = new Map(before.map((task) => [task.uid, task]))
  for (const task of changed) tasks.set(task.uid, task)
  const after = [...tasks.values()].sort(compareOrder)
  const old = filesNow(db, row, kept.old)
  const next = layOut(after, kept.byFile)
  const files = new Map<string, string | null>()
  for (const file of old.keys()) if (!next.has(file)) files.set(file, null)
  for (const [file, text] of next) if (old.get(file) !== text) files.set(file, text)
  for (const [file, text] of largeFiles(
    db,
    row.lid,
    changed.map((task) => ({ task, place: 0 })),
  ))
    files.set(file, text)
  const placed = after.map((task, place) => ({ task, place }))
  return { files, placed, shards: fullShards(after.length), keptBehind: null }
}

/** The current task files. Not the ideal layout: a shard with an unreadable line has one task less. */
function filesNow(db: State, row: LedgerRow, unreadable: ReadonlyMap<string, string[]>): Map<string, string> {
  const shards = new Set(takenPlaces(db, row.lid).map((place) => Math.floor(place / SHARD_TASKS)))
  const lines = new Map<string, string[]>()
  for (const shard of shards) {
    const file = shard < row.shards ? fileOfShard(shard, Number.POSITIVE_INFINITY) : TAIL_FILE
    const written = linesOfShard(db, row, shard).map(({ line }) => writeTask(line).line)
    lines.set(file, [...(lines.get(file) ?? []), ...written])
  }
  const names = new Set([...lines.keys(), ...unreadable.keys()])
  return new Map([...names].map((file) => [file, fileText(lines.get(file) ?? [], unreadable.get(file) ?? [])]))
}

function layOut(tasks: readonly Task[], unreadable: ReadonlyMap<string, string[]>): Map<string, string> {
  const lines = new Map<string, string[]>()
  for (let shard = 0; shard <= fullShards(tasks.length); shard++) {
    const written = tasks.slice(shard * SHARD_TASKS, (shard + 1) * SHARD_TASKS)
    lines.set(
      fileOfShard(shard, tasks.length),
      written.map((task) => writeTask(taskLine(task)).line),
    )
  }
  const homeless = [...unreadable].filter(([file]) => !lines.has(file)).flatMap(([, kept]) => kept)
  const keptIn = (file: string) => [...(unreadable.get(file) ?? []), ...(file === TAIL_FILE ? homeless : [])]
  return new Map([...lines].map(([file, written]) => [file, fileText(written, keptIn(file))]))
}

function* largeFiles(db: State, lid: number, placed: readonly PlacedTask[]): Generator<[string, string | null]> {
  for (const { task } of placed) {
    const { large } = writeTask(taskLine(task))
    const old = large === null ? lineOf(db, lid, task.uid) : null
    if (large !== null) yield [largeFile(task.uid), large]
    else if (old !== null && writeTask(old).large !== null) yield [largeFile(task.uid), null]
  }
}

/** Unreadable lines stay in their file; those that a join found are added to the tail. */
interface KeptLines {
  old: Map<string, string[]>
  byFile: Map<string, string[]>
  hasNew: boolean
}

function keptLines(db: State, lid: number, found: readonly string[]): KeptLines {
  const old = new Map<string, string[]>()
  for (const { path, text } of unreadableLines(db, lid)) old.set(path, [...(old.get(path) ?? []), text])
  const known = new Set([...old.values()].flat())
  const fresh = found.filter((line) => !known.has(line))
  const byFile = new Map(old)
  if (fresh.length > 0) byFile.set(TAIL_FILE, [...new Set([...(old.get(TAIL_FILE) ?? []), ...fresh])].sort())
  return { old, byFile, hasNew: fresh.length > 0 }
}
