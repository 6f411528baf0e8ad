/** From changed tasks to the files of a ledger's tree that a commit must write. */
import type { Task } from '../task/task.ts'
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
} from './file-layout.ts'
import { taskLine } from './task-line.ts'

export interface PlacedTask {
  task: Task
  place: number
}

export interface PlacedLine {
  place: number
  /** The task's full line (taskLine). */
  line: string
}

export type LinesByShard = ReadonlyMap<number, readonly PlacedLine[]>

/** Unreadable lines stay in their file; those that a join found are added to the tail. */
export interface KeptLines {
  old: ReadonlyMap<string, readonly string[]>
  byFile: ReadonlyMap<string, readonly string[]>
  hasNew: boolean
}

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

export function keepLines(unreadable: readonly { path: string; text: string }[], found: readonly string[]): KeptLines {
  const old = new Map<string, string[]>()
  for (const { path, text } of unreadable) old.set(path, [...(old.get(path) ?? []), text])
  const known = new Set([...old.values()].flat())
  const fresh = found.filter((line) => !known.has(line))
  const byFile = new Map(old)
  if (fresh.length > 0) byFile.set(TAIL_FILE, [...new Set([...(old.get(TAIL_FILE) ?? []), ...fresh])].sort())
  return { old, byFile, hasNew: fresh.length > 0 }
}

export const NOTHING_KEPT: KeptLines = { old: new Map(), byFile: new Map(), hasNew: false }

/** A ledger before a change. */
export interface LedgerSize {
  tip: string
  /** How many full shards precede the tail. */
  shards: number
  /** One more than the last task's place. */
  places: number
}

/** Changed tasks at their places; new ones follow the existing ones. */
export interface PlacedChange {
  before: LedgerSize
  placed: readonly PlacedTask[]
  /** One more than the last place after the change. */
  places: number
  kept: KeptLines
}

/** The shards of the changed tasks, and the tail from its old to its new end. */
export function touchedShards({ before, placed, places, kept }: PlacedChange): Set<number> {
  const shards = new Set(placed.map(({ place }) => Math.floor(place / SHARD_TASKS)))
  const last = fullShards(places)
  if (places > before.places) for (let shard = before.shards; shard <= last; shard++) shards.add(shard)
  if (kept.hasNew) shards.add(last)
  return shards
}

/** The files of the touched shards, whose present lines are given. */
export function touchedFiles({ before, placed, places, kept }: PlacedChange, lines: LinesByShard): LedgerFileChanges {
  const changed = Map.groupBy(placed, ({ place }) => Math.floor(place / SHARD_TASKS))
  const files = new Map<string, string | null>()
  const keptBehind = new Map<string, number>()
  for (const [shard, present] of lines) {
    const next = new Map(present.map(({ place, line }) => [place, line]))
    for (const { task, place } of changed.get(shard) ?? []) {
      const line = taskLine(task)
      addLarge(files, task.uid, line, next.get(place))
      next.set(place, line)
    }
    const ordered = [...next].sort(([a], [b]) => a - b).map(([, line]) => writeTask(line).line)
    const file = fileOfShard(shard, places)
    files.set(file, fileText(ordered, kept.byFile.get(file) ?? []))
    if (kept.byFile.has(file)) keptBehind.set(file, ordered.length)
  }
  if (before.tip === '') files.set(FORMAT_FILE, `${FORMAT}\n`)
  return { files, placed: [...placed], shards: fullShards(places), keptBehind }
}

/** The tasks of a whole ledger with the changed ones among them, in their order. */
function orderTasks(present: readonly Task[], changed: readonly Task[]): Task[] {
  const tasks = new Map([...present, ...changed].map((task) => [task.uid, task]))
  return [...tasks.values()].sort(compareOrder)
}

/** Lays out the whole ledger again and keeps what differs: tasks from elsewhere may belong between the others. */
export function allFiles(
  before: LedgerSize & { tasks: readonly Task[]; lines: LinesByShard },
  changed: readonly Task[],
  kept: KeptLines,
): LedgerFileChanges {
  const after = orderTasks(before.tasks, changed)
  const old = filesNow(before, kept.old)
  const next = layOut(after, kept.byFile)
  const files = new Map<string, string | null>()
  for (const file of old.keys()) if (!next.has(file)) files.set(file, null)
  for (const [file, text] of next) if (old.get(file) !== text) files.set(file, text)
  const present = new Map(before.tasks.map((task) => [task.uid, task]))
  for (const task of changed) {
    const earlier = present.get(task.uid)
    addLarge(files, task.uid, taskLine(task), earlier && taskLine(earlier))
  }
  const placed = after.map((task, place) => ({ task, place }))
  return { files, placed, shards: fullShards(after.length), keptBehind: null }
}

/** The current task files. Not the ideal layout: a shard with an unreadable line has one task less. */
function filesNow(
  { shards, lines: byShard }: LedgerSize & { lines: LinesByShard },
  unreadable: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const lines = new Map<string, string[]>()
  for (const [shard, present] of byShard) {
    const file = shard < shards ? fileOfShard(shard, Number.POSITIVE_INFINITY) : TAIL_FILE
    lines.set(file, [...(lines.get(file) ?? []), ...present.map(({ line }) => writeTask(line).line)])
  }
  const names = new Set([...lines.keys(), ...unreadable.keys()])
  return new Map([...names].map((file) => [file, fileText(lines.get(file) ?? [], unreadable.get(file) ?? [])]))
}

function layOut(tasks: readonly Task[], unreadable: ReadonlyMap<string, readonly string[]>): Map<string, string> {
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

/** The large file of a task's line, or its removal if only the earlier line needed one. */
function addLarge(files: Map<string, string | null>, uid: string, line: string, earlier: string | undefined): void {
  const { large } = writeTask(line)
  if (large !== null || (earlier !== undefined && writeTask(earlier).large !== null)) files.set(largeFile(uid), large)
}
