/** What a ledger's commit holds, read through git: all of it, or only what differs from another commit. */
import { FORMAT, FORMAT_FILE, isTaskFile, uidOfLargeFile } from '../core/layout.ts'
import type { Task } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/find-repo.ts'
import { runGit } from '../platform/git.ts'
import { readBlobs } from './read-blobs.ts'
import { largeNameIn, readTaskLine } from './read-task-line.ts'

/** A task file as it stands in one commit. `tasks` is in file order; a file that is gone has none. */
export interface TaskFile {
  path: string
  isGone: boolean
  tasks: Task[]
  unreadable: UnreadableLine[]
}

export interface UnreadableLine {
  line: number
  text: string
  why: string
}

export interface LedgerChange {
  files: TaskFile[]
  /** Large tasks whose own file changed while their shard did not. */
  large: Task[]
  artifacts: { path: string; blob: string | null }[]
}

/** Everything in `to` that is not the same in `from`; everything there is when `from` is null. */
export function readChange(repo: Repo, from: string | null, to: string): LedgerChange {
  const entries = from === null ? listTree(repo, to) : diffTrees(repo, from, to)
  assertReadable(repo, entries, to)
  const files = readTaskFiles(
    repo,
    entries.filter((entry) => isTaskFile(entry.path)),
    to,
  )
  const seen = new Set(files.flatMap((file) => file.tasks.map((task) => task.uid)))
  const large = entries.filter((entry) => entry.blob !== null && !seen.has(uidOfLargeFile(entry.path) ?? entry.path))
  return {
    files,
    large: readLarge(
      repo,
      large.filter((entry) => uidOfLargeFile(entry.path) !== null),
    ),
    artifacts: entries.filter((entry) => entry.path.startsWith('artifacts/')),
  }
}

export interface TreeEntry {
  path: string
  /** null: the file is gone. */
  blob: string | null
}

export function listTree(repo: Repo, commit: string): TreeEntry[] {
  const text = runGit(repo, ['ls-tree', '-r', '-z', '--full-tree', commit]).toString()
  return text
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const tab = row.indexOf('\t')
      return { path: row.slice(tab + 1), blob: row.slice(0, tab).split(' ')[2] ?? '' }
    })
}

function diffTrees(repo: Repo, from: string, to: string): TreeEntry[] {
  const fields = runGit(repo, ['diff-tree', '-r', '-z', '--no-renames', '--full-index', from, to])
    .toString()
    .split('\0')
  const entries: TreeEntry[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, , , blob = '', status] = (fields[i] ?? '').split(' ')
    entries.push({ path: fields[i + 1] ?? '', blob: status === 'D' ? null : blob })
  }
  return entries
}

function assertReadable(repo: Repo, entries: readonly TreeEntry[], commit: string): void {
  const blob = entries.find((entry) => entry.path === FORMAT_FILE)?.blob
  if (!blob) return
  const format = Number.parseInt(readBlobs(repo, [blob]).get(blob)?.toString() ?? '', 10)
  if (format <= FORMAT) return
  throw new UserError(
    'LEDGER_TOO_NEW',
    `The ledger at ${commit.slice(0, 7)} was written by a newer gza (format ${format}, this one reads ${FORMAT})`,
    {
      hint: 'Nothing was changed. Update gza: npm i -g git-tasks',
    },
  )
}

function readTaskFiles(repo: Repo, entries: readonly TreeEntry[], commit: string): TaskFile[] {
  const blobs = readBlobs(
    repo,
    entries.flatMap((entry) => entry.blob ?? []),
  )
  const files = entries.map(({ path, blob }) => ({
    ...parseFile(path, blob === null ? '' : (blobs.get(blob)?.toString() ?? '')),
    isGone: blob === null,
  }))
  const names = files.flatMap((file) => file.large.map((stub) => `${commit}:${stub.name}`))
  const large = names.length === 0 ? new Map<string, Buffer>() : readBlobs(repo, names)
  return files.map((file) => withLarge(file, commit, large))
}

interface ParsedFile extends TaskFile {
  large: { name: string; line: number; text: string; at: number }[]
}

function parseFile(path: string, text: string): ParsedFile {
  const file: ParsedFile = { path, isGone: false, tasks: [], unreadable: [], large: [] }
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const name = largeNameIn(line)
    if (name !== null) {
      file.large.push({ name, line: index + 1, text: line, at: file.tasks.length + file.large.length })
      return
    }
    const read = readTaskLine(line)
    if ('task' in read) file.tasks.push(read.task)
    else file.unreadable.push({ line: index + 1, text: line, why: read.why })
  })
  return file
}

/** Puts each large task back at its place; one whose file cannot be read counts as an unreadable line. */
function withLarge(file: ParsedFile, commit: string, blobs: ReadonlyMap<string, Buffer>): TaskFile {
  const { path, isGone, unreadable } = file
  const tasks = [...file.tasks]
  for (const stub of file.large) {
    const read = readTaskLine(blobs.get(`${commit}:${stub.name}`)?.toString() ?? '')
    if ('task' in read) tasks.splice(stub.at, 0, read.task)
    else unreadable.push({ line: stub.line, text: stub.text, why: `${stub.name}: ${read.why}` })
  }
  return { path, isGone, tasks, unreadable }
}

function readLarge(repo: Repo, entries: readonly TreeEntry[]): Task[] {
  const blobs = readBlobs(
    repo,
    entries.flatMap((entry) => entry.blob ?? []),
  )
  return [...blobs.values()].flatMap((blob) => {
    const read = readTaskLine(blob.toString())
    return 'task' in read ? [read.task] : []
  })
}
