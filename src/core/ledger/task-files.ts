/**
 * From changed tasks to the files of a ledger's tree that a commit must write. Every line whose task does not change is
 * written as it is, byte for byte.
 */
import type { Task } from '../task/task.ts'
import {
  compareOrder,
  FORMAT,
  FORMAT_FILE,
  fileOfShard,
  fileText,
  LINE_BYTES,
  largeFile,
  largeNameIn,
  SHARD_TASKS,
  shardOfFile,
  TAIL_FILE,
  writeTask,
} from './file-layout.ts'
import type { FileContent } from './import-stream.ts'
import { taskLine } from './task-line.ts'

export interface PlacedTask {
  task: Task
  place: number
  /** The index has no row of it, and none at its place. */
  isNew?: boolean
  /** What taskLine gives, if it is known. */
  line?: string | undefined
}

/** A line as it is in its file; without a task if it is empty or cannot be read. */
export interface FileLine {
  text: string
  task: TaskOfLine | null
}

export interface TaskOfLine {
  uid: string
  /** What gza would write of the task (taskLine). */
  full: string
}

/** The lines of a file; `isClosed` means that the last one has a line break too. */
export interface FileLines {
  lines: FileLine[]
  isClosed: boolean
  /** It is known that gza would write the same. */
  isRegular?: boolean
}

/** The lines of a file as gza writes it. */
export function regularLines(tasks: readonly TaskOfLine[]): FileLines {
  const lines: FileLine[] = []
  // Of most lines only the length is asked: a function that is called often makes the runtime start a compiler thread.
  for (const task of tasks)
    lines.push({ text: Buffer.byteLength(task.full) <= LINE_BYTES ? task.full : writeTask(task.full).line, task })
  return { lines, isClosed: true, isRegular: true }
}

/** The present lines of files, by the number of the shard; the tail has the number of full shards. */
export type LinesByShard = ReadonlyMap<number, FileLines>

/** How a task is written. Another program may have chosen other spaces, another order of keys, or a longer line. */
export interface Spelling {
  full: string
  /** Its line in the file. */
  line: string
  /** The file with the full task, if the line is only its short form. */
  large: { path: string; bytes: FileContent } | null
}

/** What a join found beside tasks: how they are written there, and lines that cannot be read. */
export interface Found {
  spellings?: ReadonlyMap<string, Spelling> | undefined
  unreadable?: readonly string[] | undefined
}

/** A file that gza would write in another way: its text, and how many tasks it has. */
export interface ForeignFile {
  tasks: number
  text: string
}

export interface LedgerFileChanges {
  files: Map<string, FileContent | null>
  /** Every task whose row must change: the changed ones, and all that moved. */
  placed: PlacedTask[]
  shards: number
  /** What changed about foreign files; null if only the commit itself shows it. */
  foreign: Map<string, ForeignFile | null> | null
}

/** A ledger before a change. */
export interface LedgerSize {
  tip: string
  /** How many full shards precede the tail. */
  shards: number
  /** One more than the last task's place. */
  places: number
}

/** The shard that has the place. Everything after the full shards is in the tail, however much it is. */
export function shardOfPlace({ shards }: Pick<LedgerSize, 'shards'>, place: number): number {
  return Math.min(Math.floor(place / SHARD_TASKS), shards)
}

export function pathOfShard({ shards }: Pick<LedgerSize, 'shards'>, shard: number): string {
  return shard < shards ? fileOfShard(shard, Number.POSITIVE_INFINITY) : TAIL_FILE
}

/** The places of a file's tasks, without `end`; null if a ledger of this size has no such file. */
export function placesOfFile(
  { shards }: Pick<LedgerSize, 'shards'>,
  path: string,
): { first: number; end: number } | null {
  if (path === TAIL_FILE) return { first: shards * SHARD_TASKS, end: Number.MAX_SAFE_INTEGER }
  const shard = shardOfFile(path) ?? shards
  return shard < shards ? { first: shard * SHARD_TASKS, end: (shard + 1) * SHARD_TASKS } : null
}

/** The place of the next new task. */
export function firstFree({ shards, places }: LedgerSize): number {
  return Math.max(places, shards * SHARD_TASKS)
}

/** Changed tasks at their places; new ones follow the existing ones. */
export interface PlacedChange extends Found {
  before: LedgerSize
  placed: readonly PlacedTask[]
  fresh: readonly Task[]
}

export function touchedShards({ before, placed, unreadable = [] }: PlacedChange): Set<number> {
  const shards = new Set<number>()
  for (const { place } of placed) shards.add(shardOfPlace(before, place))
  return unreadable.length > 0 ? shards.add(before.shards) : shards
}

/** The files of the touched shards, whose present lines are given. New tasks follow in the tail. */
export function touchedFiles(change: PlacedChange, present: LinesByShard): LedgerFileChanges {
  const { before, placed, fresh, unreadable = [] } = change
  const files = new Map<string, FileContent | null>()
  const foreign = new Map<string, ForeignFile | null>()
  let [shards, mustRead] = [before.shards, unreadable.length > 0]
  for (const [shard, old] of present) {
    const path = pathOfShard(before, shard)
    const next = rewritten(change, old, { files, isTail: shard === before.shards })
    const tasks = countTasks(next)
    if (path === TAIL_FILE && tasks > SHARD_TASKS && fresh.length > 0) {
      shards += addSpilled(files, before.shards, next)
      mustRead ||= !isRegular(old)
      continue
    }
    const text = textOfLines(next)
    files.set(path, text)
    const isOwn = (file: FileLines) => isRegular(file) && (path === TAIL_FILE || countTasks(file) === SHARD_TASKS)
    if (!isOwn(next)) foreign.set(path, { tasks, text })
    else if (!isOwn(old)) foreign.set(path, null)
  }
  if (before.tip === '') files.set(FORMAT_FILE, `${FORMAT}\n`)
  return { files, placed: [...placed], shards, foreign: mustRead ? null : foreign }
}

/** The file's lines with those of the changed tasks replaced, and in the tail with new ones at the end. */
function rewritten(
  change: PlacedChange,
  { lines: old, isClosed, isRegular: wasRegular = false }: FileLines,
  { files, isTail }: { files: Map<string, FileContent | null>; isTail: boolean },
): FileLines {
  const { placed, fresh, spellings, unreadable = [] } = change
  const tasks = new Map<string, Task>()
  for (const { task } of placed) tasks.set(task.uid, task)
  const lines: FileLine[] = []
  for (const line of old) {
    const task = line.task === null ? undefined : tasks.get(line.task.uid)
    lines.push(task === undefined ? line : writtenLine(files, task, line, change))
  }
  // What a join found is written as it is there.
  const isRegular = wasRegular && spellings === undefined
  if (!isTail) return { lines, isClosed, isRegular }
  for (const task of fresh) lines.push(writtenLine(files, task, null, change))
  for (const text of unreadable) lines.push({ text, task: null })
  const isLonger = fresh.length + unreadable.length > 0
  return { lines, isClosed: isClosed || isLonger, isRegular: isRegular && unreadable.length === 0 }
}

/**
 * The line of a task; its large file is added to the files to write. A task that is as before keeps its line, and one
 * that is as a join found it is written as it is there.
 */
function writtenLine(
  files: Map<string, FileContent | null>,
  task: Task,
  old: FileLine | null,
  { spellings }: Found,
): FileLine {
  const full = taskLine(task)
  const found = spellings?.get(task.uid)
  const isFound = found?.full === full
  if (old?.task?.full === full && !isFound) return old
  const { line, large } = isFound ? found : ownSpelling(full, task.uid)
  const oldLarge = old === null ? null : largeNameIn(old.text)
  if (oldLarge !== null && oldLarge !== large?.path) files.set(oldLarge, null)
  if (large !== null) files.set(large.path, large.bytes)
  return { text: line, task: { uid: task.uid, full } }
}

function ownSpelling(full: string, uid: string): Spelling {
  const { line, large } = writeTask(full)
  return { full, line, large: large === null ? null : { path: largeFile(uid), bytes: large } }
}

/** The tail's lines as full shards and a new tail; how many shards. */
function addSpilled(files: Map<string, FileContent | null>, shards: number, { lines }: FileLines): number {
  const parts: FileLine[][] = [[]]
  let count = 0
  for (const line of lines) {
    if (line.task !== null && count++ % SHARD_TASKS === 0 && count > 1) parts.push([])
    parts.at(-1)?.push(line)
  }
  for (const [at, part] of parts.entries()) {
    const path = at < parts.length - 1 ? fileOfShard(shards + at, Number.POSITIVE_INFINITY) : TAIL_FILE
    files.set(path, textOfLines({ lines: part, isClosed: true }))
  }
  return parts.length - 1
}

function countTasks({ lines, isRegular }: FileLines): number {
  if (isRegular) return lines.length
  return lines.filter(({ task }) => task !== null).length
}

/** Is the text what gza would write for these lines? */
function isRegular({ lines, isClosed, isRegular: isKnown = false }: FileLines): boolean {
  return isKnown || (isClosed && lines.every(({ text, task }) => task !== null && writeTask(task.full).line === text))
}

function textOfLines({ lines, isClosed }: FileLines): string {
  const texts: string[] = []
  for (const line of lines) texts.push(line.text)
  const text = fileText(texts)
  return isClosed ? text : text.slice(0, -1)
}

/** What is laid out again: the ledger from one of its files to the end, or all of it. */
export interface LaidOut extends LedgerSize {
  /** How many full shards stay as they are. */
  kept: number
  tasks: readonly Task[]
  lines: LinesByShard
}

/** Lays out a ledger again and keeps what differs: tasks from elsewhere may belong between the others. */
export function allFiles(before: LaidOut, changed: readonly Task[], found: Found): LedgerFileChanges {
  const files = new Map<string, FileContent | null>()
  const old = new Map([...before.lines].map(([shard, file]) => [pathOfShard(before, shard), file]))
  const lines = new Map([...old.values()].flatMap((file) => file.lines).map((line) => [line.task?.uid, line]))
  for (const task of changed) lines.set(task.uid, writtenLine(files, task, lines.get(task.uid) ?? null, found))
  const tasks = new Map([...before.tasks, ...changed].map((task) => [task.uid, task]))
  const after = [...tasks.values()].sort(compareOrder)
  const next = layOut(
    after.map(({ uid }) => lines.get(uid) as FileLine),
    { old, unreadable: found.unreadable ?? [], kept: before.kept },
  )
  for (const file of old.keys()) if (!next.has(file)) files.set(file, null)
  for (const [file, texts] of next)
    if (!hasTheSame(old.get(file), texts)) files.set(file, textOfLines({ lines: texts, isClosed: true }))
  if (before.tip === '') files.set(FORMAT_FILE, `${FORMAT}\n`)
  const placed = after.map((task, index) => ({ task, place: before.kept * SHARD_TASKS + index }))
  return { files, placed, shards: before.kept + next.size - 1, foreign: null }
}

/** 64 tasks to a file. Unreadable lines follow the tasks of their file; of a file that is gone, those of the tail. */
function layOut(
  lines: readonly FileLine[],
  { old, unreadable, kept }: { old: ReadonlyMap<string, FileLines>; unreadable: readonly string[]; kept: number },
): Map<string, FileLine[]> {
  const next = new Map<string, FileLine[]>()
  const count = Math.max(1, Math.ceil(lines.length / SHARD_TASKS))
  for (let shard = 0; shard < count; shard++)
    next.set(
      fileOfShard(kept + shard, kept * SHARD_TASKS + lines.length),
      lines.slice(shard * SHARD_TASKS, (shard + 1) * SHARD_TASKS),
    )
  for (const [path, file] of old) next.get(next.has(path) ? path : TAIL_FILE)?.push(...keptLines(file))
  next.get(TAIL_FILE)?.push(...unreadable.map((text) => ({ text, task: null })))
  return next
}

function keptLines({ lines }: FileLines): FileLine[] {
  return lines.filter(({ text, task }) => task === null && text.trim() !== '')
}

/** Has the file these tasks in this order, and these other lines? Then it stays, with its empty lines. */
function hasTheSame(file: FileLines | undefined, next: readonly FileLine[]): boolean {
  if (file === undefined) return false
  const texts = (lines: readonly FileLine[], isTask: boolean) =>
    lines.filter(({ text, task }) => (task !== null) === isTask && text.trim() !== '').map(({ text }) => text)
  return [true, false].every((isTask) => texts(file.lines, isTask).join('\n') === texts(next, isTask).join('\n'))
}
