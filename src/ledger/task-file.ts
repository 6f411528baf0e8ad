/** A task file's lines: tasks, short forms of large ones, and unreadable lines, which are kept byte for byte. */
import { textOfBytes } from '../core/ledger/byte-text.ts'
import {
  LINE_BYTES,
  largeNameIn,
  SHARD_TASKS,
  TAIL_FILE,
  uidOfLargeFile,
  writeTask,
} from '../core/ledger/file-layout.ts'
import type { Spelling } from '../core/ledger/task-files.ts'
import type { Task } from '../core/task/task.ts'
import { decodeUtf8 } from '../core/text/decode-utf8.ts'
import { readSpelledLine } from './read-task-line.ts'

/** A task file in one commit. `tasks` is in file order; a removed file has none. */
export interface TaskFile {
  path: string
  isGone: boolean
  tasks: Task[]
  /** How each of the tasks is written, in the same order. */
  spellings: Spelling[]
  unreadable: UnreadableLine[]
  /** The file's text, if gza would write it in another way: a write keeps all of it except the lines it changes. */
  foreign: string | null
}

export interface UnreadableLine {
  line: number
  /** In the form of textOfBytes if the line is not UTF-8. */
  text: string
  why: string
}

/** A line that is not empty; `large` names the file with the full task, if this is a short form. */
export interface FileLine {
  line: number
  text: string
  isUtf8: boolean
  large: string | null
}

export function readFileLines(blob: Buffer): FileLine[] {
  return splitLines(blob).flatMap(({ text, isUtf8 }, at) =>
    text.trim() === '' ? [] : [{ line: at + 1, text, isUtf8, large: isUtf8 ? largeNameIn(text) : null }],
  )
}

function splitLines(blob: Buffer): { text: string; isUtf8: boolean }[] {
  const whole = decodeUtf8(blob)
  if (whole !== null) return whole.split('\n').map((text) => ({ text, isUtf8: true }))
  // In Latin-1 each byte is a character, so a line's bytes can be cut out, whatever they are.
  return blob
    .toString('latin1')
    .split('\n')
    .map((text) => Buffer.from(text, 'latin1'))
    .map(readLineBytes)
}

function readLineBytes(bytes: Buffer): { text: string; isUtf8: boolean } {
  const text = decodeUtf8(bytes)
  return text === null ? { text: textOfBytes(bytes), isUtf8: false } : { text, isUtf8: true }
}

/**
 * The tasks of a file. A task that was read before (`seen`), and one too many for its file, have no place in the index.
 * Only other programs write such lines. They count as unreadable, so they are kept.
 */
export function readTaskFile(
  path: string,
  lines: readonly FileLine[],
  { large, seen }: { large: (name: string) => Buffer | undefined; seen: Set<string> },
): TaskFile {
  const capacity = path === TAIL_FILE ? Number.POSITIVE_INFINITY : SHARD_TASKS
  const file: TaskFile = { path, isGone: false, tasks: [], spellings: [], unreadable: [], foreign: null }
  for (const { line, text, ...rest } of lines) {
    const read = readLine({ line, text, ...rest }, large)
    const why = 'why' in read ? read.why : whyOutOfPlace(read.task, file.tasks.length < capacity, seen)
    if (why !== null) file.unreadable.push({ line, text, why })
    if (why !== null || 'why' in read) continue
    seen.add(read.task.uid)
    file.tasks.push(read.task)
    const bytes = rest.large === null ? undefined : large(rest.large)
    const standIn = rest.large === null || bytes === undefined ? null : { path: rest.large, bytes }
    file.spellings.push({ full: read.full, line: text, large: standIn })
  }
  return file
}

/** The text of the file, if gza would write it in another way; null for a file of gza itself. */
export function foreignText({ path, spellings }: TaskFile, blob: Buffer): string | null {
  const isFull = path === TAIL_FILE || spellings.length === SHARD_TASKS
  if (isFull && isOwnText(spellings, blob)) return null
  return splitLines(blob)
    .map((line) => line.text)
    .join('\n')
}

/** Has the file these lines, each as gza writes it, and nothing else? Then its bytes are theirs, each with a line break. */
function isOwnText(spellings: readonly Spelling[], blob: Buffer): boolean {
  let bytes = 0
  for (const { full, line, large } of spellings) {
    if (large === null ? full !== line : writeTask(full).line !== line) return false
    const size = Buffer.byteLength(line)
    if (size > LINE_BYTES) return false
    bytes += size + 1
  }
  return bytes === blob.length && (bytes === 0 || blob[bytes - 1] === LINE_BREAK)
}

const LINE_BREAK = 10

function whyOutOfPlace(task: Task, hasCapacity: boolean, seen: ReadonlySet<string>): string | null {
  if (seen.has(task.uid)) return `${task.id} is here twice`
  return hasCapacity ? null : 'more tasks than this file can contain'
}

function readLine({ text, isUtf8, large }: FileLine, blobOf: (name: string) => Buffer | undefined) {
  if (!isUtf8) return { why: 'not UTF-8' }
  return large === null ? readSpelledLine(text) : readLargeFile(large, blobOf(large))
}

/** The task in a large file with that name, or why there is none. */
export function readLargeFile(name: string, blob: Buffer | undefined): { task: Task; full: string } | { why: string } {
  if (blob === undefined) return { why: `${name}: missing` }
  const text = decodeUtf8(blob)
  if (text === null) return { why: `${name}: not UTF-8` }
  const read = readSpelledLine(text)
  if ('why' in read) return { why: `${name}: ${read.why}` }
  return read.task.uid === uidOfLargeFile(name) ? read : { why: `${name}: contains another task` }
}
