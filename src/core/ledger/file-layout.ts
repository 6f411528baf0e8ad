/**
 * Which file of a ledger's tree contains which task. The layout depends only on the tasks, so two clones with the same
 * tasks have the same bytes.
 *
 * Tasks are in the order of their birth numbers, 64 to a file: full files are `shards/0000/00.jsonl` and so on, the
 * newest tasks are in `tasks.jsonl`. So a new task touches one file; when that file is full, it becomes the next shard
 * unchanged. Instead of a line longer than 1 KB, gza writes a short line and a file for the task: no file with lines
 * exceeds 64 KB, and a write costs the same at 10 and at 100,000 tasks. Lines that other programs wrote stay as they
 * are until their task changes.
 */

import type { Task } from '../task/task.ts'
import { firstLine } from '../text/first-line.ts'
import { compareText } from './canonical.ts'

export const TAIL_FILE = 'tasks.jsonl'
export const FORMAT_FILE = 'format'
export const FORMAT = 1
export const SHARD_TASKS = 64
const SHARDS_PER_FOLDER = 100
/** A longer line is a short one and a file of its own. */
export const LINE_BYTES = 1024

export function compareOrder(a: OrderKey, b: OrderKey): number {
  return a.number - b.number || compareText(a.created_at, b.created_at) || compareText(a.uid, b.uid)
}
export type OrderKey = Pick<Task, 'number' | 'created_at' | 'uid'>

/** How many full shards precede `tasks.jsonl`. */
export function fullShards(taskCount: number): number {
  return taskCount === 0 ? 0 : Math.floor((taskCount - 1) / SHARD_TASKS)
}

/** The file of the n-th group of 64 tasks. */
export function fileOfShard(shard: number, taskCount: number): string {
  if (shard >= fullShards(taskCount)) return TAIL_FILE
  const folder = String(Math.floor(shard / SHARDS_PER_FOLDER)).padStart(4, '0')
  return `shards/${folder}/${String(shard % SHARDS_PER_FOLDER).padStart(2, '0')}.jsonl`
}

export function isTaskFile(path: string): boolean {
  return path === TAIL_FILE || shardOfFile(path) !== null
}

/** The changed files that hold tasks: those with lines, and those of one large task. */
export function splitTaskFiles<T extends { path: string }>(files: readonly T[]): { lines: T[]; large: T[] } {
  return {
    lines: files.filter(({ path }) => isTaskFile(path)),
    large: files.filter(({ path }) => uidOfLargeFile(path) !== null),
  }
}

/** Where a join keeps the text of an artifact if another text has its name. */
export function besideFile(path: string, blob: string): string {
  return `${path}~${blob.slice(0, 12)}`
}

/** A text next to the tasks. A name that git would not check out, or that would break a line, is never an artifact. */
export function isArtifact(path: string): boolean {
  return ARTIFACT.test(path) && !/(?:^|\/)\.(?:\.?|git)(?:\/|$)/i.test(path)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: other programs may have put them into a name
const ARTIFACT = /^artifacts(?:\/[^/\u0000-\u001f\u007f]+)+$/

export function largeFile(uid: string): string {
  return `large/${uid.slice(0, 2)}/${uid}.json`
}

export function uidOfLargeFile(path: string): string | null {
  return /^large\/[0-9a-f]{2}\/([0-9a-f]{40})\.json$/.exec(path)?.[1] ?? null
}

/** The file with the full task, if the line is only its short form. */
export function largeNameIn(line: string): string | null {
  // Nearly every line is a whole task of gza, and is not parsed here.
  const name = /"large"\s*:/.test(line) ? largeFieldOf(line) : null
  return name !== null && uidOfLargeFile(name) !== null ? name : null
}

/** The lines that are whole tasks, and the files of those that are only short forms. */
export function splitLargeLines(lines: readonly string[]): { whole: string[]; large: string[] } {
  const whole: string[] = []
  const large: string[] = []
  for (const line of lines) {
    const name = largeNameIn(line)
    if (name === null) whole.push(line)
    else large.push(name)
  }
  return { whole, large }
}

/** A whole task has a salt, whatever else other programs put into its line. */
function largeFieldOf(line: string): string | null {
  try {
    const { large, salt } = JSON.parse(line)
    return salt === undefined && typeof large === 'string' ? large : null
  } catch {
    return null
  }
}

/** A task's line in its shard, and the text of its large file if it needs one. */
export interface WrittenTask {
  line: string
  large: string | null
}

/** Divides a full line (taskLine) into the line in the shard and the text of a large file. */
export function writeTask(full: string): WrittenTask {
  if (Buffer.byteLength(full) <= LINE_BYTES) return { line: full, large: null }
  return { line: shortLine(JSON.parse(full)), large: `${full}\n` }
}

/** What the raw file shows of a large task; the rest is in the file that `large` names. */
function shortLine(task: Task): string {
  const content = firstCharacters(firstLine(task.content), SHORT_CONTENT)
  const { id, status, created_at, closed_at, closed_commit, uid, number } = task
  const created_by = firstCharacters(task.created_by, SHORT_NAME)
  const fields = { id, content, status, created_at, created_by, after: null, closed_at }
  return JSON.stringify({ ...fields, closed_commit, notes: [], uid, number, large: largeFile(uid) })
}

// Few enough to stay below 1 KB even if every character needs a six-byte escape.
const SHORT_CONTENT = 60
const SHORT_NAME = 30

function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join('')
}

/** The text of one task file. */
export function fileText(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) text += `${line}\n`
  return text
}

/** The number of a full shard, from its path. Each shard has one spelling only. */
export function shardOfFile(path: string): number | null {
  const match = /^shards\/(\d{4}|[1-9]\d{4,6})\/(\d\d)\.jsonl$/.exec(path)
  return match ? Number(match[1]) * SHARDS_PER_FOLDER + Number(match[2]) : null
}
