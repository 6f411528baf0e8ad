/** The present lines of a ledger's task files, as they are written. */
import { SHARD_TASKS, shardOfFile, writeTask } from '../../core/ledger/file-layout.ts'
import {
  type FileLine,
  type FileLines,
  type ForeignFile,
  pathOfShard,
  regularLines,
  shardOfPlace,
  type TaskOfLine,
} from '../../core/ledger/task-files.ts'
import { entryOf } from './find-entries.ts'
import type { LedgerRow } from './index-tables.ts'
import { foreignFiles, unreadableLines } from './ledger-files.ts'
import { DamagedState, type State } from './open-state.ts'
import { checkedLine, type KeptLine } from './read-tasks.ts'

/** The lines of each of the files. */
export function linesOfShards(db: State, row: LedgerRow, shards: Iterable<number>): Map<number, FileLines> {
  const foreign = row.foreign === 0 ? null : foreignFiles(db, row.lid)
  const found = new Map<number, FileLines>()
  for (const shard of shards) found.set(shard, linesOfShard(db, row, shard, foreign?.get(pathOfShard(row, shard))))
  return found
}

/** The lines of every file with tasks or with other programs' lines. */
export function allLines(db: State, row: LedgerRow): Map<number, FileLines> {
  const places = db.query('SELECT place FROM entries WHERE lid = ?').values(row.lid) as [number][]
  const shards = places.map(([place]) => shardOfPlace(row, place))
  return linesOfShards(db, row, new Set([...shards, ...foreignShards(db, row)]))
}

function foreignShards(db: State, row: LedgerRow): number[] {
  return [...foreignFiles(db, row.lid).keys()].map((path) => shardOfFile(path) ?? row.shards)
}

/** The line of one task as it is in its file. */
export function lineInFile(db: State, row: LedgerRow, uid: string): string | null {
  const entry = entryOf(db, row.lid, uid)
  if (entry === undefined) return null
  const shard = shardOfPlace(row, entry.place)
  const lines = linesOfShards(db, row, [shard]).get(shard)?.lines ?? []
  return lines.find(({ task }) => task?.uid === uid)?.text ?? null
}

/** The lines of tasks that another program wrote in its own way, by uid. */
export function foreignSpellings(db: State, row: LedgerRow): Map<string, string> {
  const files = linesOfShards(db, row, foreignShards(db, row))
  const lines = [...files.values()].flatMap((file) => file.lines)
  return new Map(
    lines.flatMap(({ text, task }) => (task === null || writeTask(task.full).line === text ? [] : [[task.uid, text]])),
  )
}

function linesOfShard(db: State, row: LedgerRow, shard: number, file: ForeignFile | undefined): FileLines {
  const first = shard * SHARD_TASKS
  const isTail = shard >= row.shards
  const regular = isTail ? Math.max(0, row.places - first) : SHARD_TASKS
  const end = isTail ? Number.MAX_SAFE_INTEGER : first + SHARD_TASKS
  const tasks = tasksBetween(db, row.lid, { first, end, count: file?.tasks ?? regular })
  if (file === undefined) return regularLines(tasks)
  const path = pathOfShard(row, shard)
  const unreadable = unreadableLines(db, row.lid).filter((line) => line.path === path)
  return foreignLines(file.text, tasks, new Set(unreadable.map(({ line }) => line)))
}

/** The tasks from one place to before another, in their order: as many as there should be, or the index is damaged. */
function tasksBetween(
  db: State,
  lid: number,
  { first, end, count }: { first: number; end: number; count: number },
): TaskOfLine[] {
  const rows = db
    .query(
      `SELECT e.uid, e.place, l.line, l.sum FROM entries e INDEXED BY entries_place LEFT JOIN lines l USING (row)
      WHERE e.lid = ? AND e.place >= ? AND e.place < ? ORDER BY e.place`,
    )
    .all(lid, first, end) as (KeptLine & { uid: string; place: number })[]
  if (rows.length !== count) throw lostTasks(first)
  const tasks: TaskOfLine[] = []
  // A function that is called for each line would make the runtime start a compiler thread.
  for (const { place, uid, line, sum } of rows) {
    if (place !== first + tasks.length) throw lostTasks(first)
    if (line === null || Bun.hash.xxHash32(line) !== sum) checkedLine({ line, sum })
    tasks.push({ uid, full: line as string })
  }
  return tasks
}

function lostTasks(first: number): DamagedState {
  return new DamagedState(`the index has lost tasks after place ${first}`)
}

/** The tasks of a file are, in their order, its lines that are neither empty nor unreadable. */
function foreignLines(text: string, tasks: readonly TaskOfLine[], unreadable: ReadonlySet<number>): FileLines {
  const texts = text.split('\n')
  const isClosed = texts.at(-1) === ''
  if (isClosed) texts.pop()
  let next = 0
  const lines = texts.map((line, at): FileLine => {
    const isTask = line.trim() !== '' && !unreadable.has(at + 1)
    return { text: line, task: isTask ? (tasks[next++] ?? null) : null }
  })
  if (next !== tasks.length) throw new DamagedState('a file of the index has lost tasks')
  return { lines, isClosed }
}
