/** The content of a ledger's commit, read through git: all of it, or only the difference to another commit. */
import { FORMAT, FORMAT_FILE, isArtifact, isTaskFile, uidOfLargeFile } from '../core/ledger/file-layout.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGit } from '../platform/git/git.ts'
import { readBlobs } from './read-blobs.ts'
import { foreignText, readFileLines, readLargeFile, readTaskFile, type TaskFile } from './task-file.ts'

export interface LedgerChange {
  files: TaskFile[]
  /** Large tasks whose own file changed while their shard did not. */
  large: Task[]
  /**
   * Uids of tasks whose large file is missing or damaged, although no line of theirs changed: only the whole ledger shows
   * the line that lost its task.
   */
  lostLarge: string[]
  artifacts: TreeEntry[]
}

/** Everything in `to` that differs from `from`; everything there is if `from` is null. */
export function readChange(repo: Repo, from: string | null, to: string): LedgerChange {
  const entries = from === null ? listTree(repo, to) : diffTrees(repo, from, to)
  assertReadable(repo, entries, to)
  const files = readTaskFiles(
    repo,
    entries.filter((entry) => isTaskFile(entry.path)),
    to,
  )
  const seen = new Set(files.flatMap((file) => file.tasks.map((task) => task.uid)))
  const alone = entries.filter(({ path }) => uidOfLargeFile(path) !== null && !seen.has(uidOfLargeFile(path) ?? ''))
  const large = readLarge(repo, alone)
  return {
    files,
    large,
    lostLarge: lostIn(alone, large),
    artifacts: entries.filter((entry) => isArtifact(entry.path)),
  }
}

function lostIn(entries: readonly TreeEntry[], large: readonly Task[]): string[] {
  const found = new Set(large.map(({ uid }) => uid))
  return entries.flatMap(({ path }) => uidOfLargeFile(path) ?? []).filter((uid) => !found.has(uid))
}

/** All of a ledger, read part by part, because the tasks of a large one take more memory than their rows. */
export interface WholeLedger {
  taskFiles: string[]
  artifacts: TreeEntry[]
  parts(): Iterable<TaskFile[]>
}

/** The one that was opened last is remembered: its size is asked before the lock is taken, and its files are read in it. */
export function openWhole(repo: Repo, commit: string): WholeLedger {
  if (opened?.repo !== repo || opened.commit !== commit) opened = { repo, commit, whole: listWhole(repo, commit) }
  return opened.whole
}

let opened: { repo: Repo; commit: string; whole: WholeLedger } | undefined

function listWhole(repo: Repo, commit: string): WholeLedger {
  const entries = listTree(repo, commit)
  assertReadable(repo, entries, commit)
  const files = entries.filter((entry) => isTaskFile(entry.path))
  return {
    taskFiles: files.map(({ path }) => path),
    artifacts: entries.filter((entry) => isArtifact(entry.path)),
    *parts() {
      const seen = new Set<string>()
      for (let at = 0; at < files.length; at += PART)
        yield readTaskFiles(repo, files.slice(at, at + PART), commit, seen)
    },
  }
}

/** So many files have 8,000 tasks, about 4 MB. Each part starts one git process. */
const PART = 128

/** Throws what readChange would throw for a commit without a ledger that this release can read. Reads no task. */
export function assertLedger(repo: Repo, commit: string): void {
  assertReadable(repo, listTree(repo, commit), commit)
}

export interface TreeEntry {
  path: string
  /** null: the file was removed. */
  blob: string | null
}

/** The files of a commit. */
export function listTree(repo: Repo, commit: string): TreeEntry[] {
  return readTree(repo, ['ls-tree', '-r', '-z', '--full-tree'], commit)
    .filter(Boolean)
    .flatMap((row) => {
      const tab = row.indexOf('\t')
      const [, type, blob = ''] = row.slice(0, tab).split(' ')
      return type === 'blob' ? [{ path: row.slice(tab + 1), blob }] : []
    })
}

export function diffTrees(repo: Repo, from: string, to: string): TreeEntry[] {
  const fields = readTree(repo, ['diff-tree', '-r', '-z', '--no-renames', '--full-index', from], to)
  const entries: TreeEntry[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode, , blob = '', status] = (fields[i] ?? '').split(' ')
    entries.push({ path: fields[i + 1] ?? '', blob: status === 'D' || mode === SUBMODULE ? null : blob })
  }
  return entries
}

const SUBMODULE = '160000'

/** Only for a commit: a ledger ref that points to a tree could be read, but never be written again. */
function readTree(repo: Repo, args: readonly string[], commit: string): string[] {
  const exit = tryGit(repo, [...args, `${commit}^{commit}`])
  if (exit.code === 0) return exit.stdout.toString().split('\0')
  throw damaged(commit, whyNoTree(repo, commit, exit.stderr))
}

function whyNoTree(repo: Repo, commit: string, stderr: string): string {
  const asked = tryGit(repo, ['cat-file', '-t', commit])
  if (asked.code !== 0) return 'the commit is missing or damaged'
  const type = asked.stdout.toString().trim()
  return type === 'commit' ? stderr.trim().replace(/^(?:error|fatal): /, '') : `it is a ${type}, not a commit`
}

function damaged(commit: string, why: string): UserError {
  return new UserError('LEDGER_DAMAGED', `The ledger cannot be read at ${commit.slice(0, 7)}: ${why}`, {
    hint: 'Nothing was changed. git fsck shows what is missing, and git reflog refs/tasks/NAME shows earlier commits of the ledger.',
  })
}

function assertReadable(repo: Repo, entries: readonly TreeEntry[], commit: string): void {
  const blob = entries.find((entry) => entry.path === FORMAT_FILE)?.blob
  if (!blob) return
  const bytes = readBlobs(repo, [blob]).get(blob)
  if (bytes === undefined) throw damaged(commit, `${FORMAT_FILE} (${blob.slice(0, 7)}) is missing`)
  const format = Number.parseInt(bytes.toString(), 10)
  if (format <= FORMAT) return
  throw new UserError(
    'LEDGER_TOO_NEW',
    `The ledger at ${commit.slice(0, 7)} was written by a newer gza (format ${format}, this one reads ${FORMAT})`,
    {
      hint: 'Nothing was changed. Upgrade gza: npm i -g git-tasks',
    },
  )
}

function readTaskFiles(
  repo: Repo,
  entries: readonly TreeEntry[],
  commit: string,
  seen = new Set<string>(),
): TaskFile[] {
  const blobs = readBlobs(
    repo,
    entries.flatMap((entry) => entry.blob ?? []),
  )
  const files = entries.map(({ path, blob }) => {
    const bytes = bytesOf(blob, path)
    return { path, bytes, lines: bytes === null ? [] : readFileLines(bytes) }
  })
  const names = files.flatMap(({ lines }) => lines.flatMap(({ large }) => (large === null ? [] : `${commit}:${large}`)))
  const texts = readBlobs(repo, names)
  const context = { large: (name: string) => texts.get(`${commit}:${name}`), seen }
  return files.map(({ path, bytes, lines }) => {
    const file = readTaskFile(path, lines, context)
    return { ...file, isGone: bytes === null, foreign: bytes === null ? null : foreignText(file, bytes) }
  })

  // A missing file must not count as empty: the next write would replace it with nothing.
  function bytesOf(blob: string | null, path: string) {
    if (blob === null) return null
    const bytes = blobs.get(blob)
    if (bytes === undefined) throw damaged(commit, `${path} (${blob.slice(0, 7)}) is missing`)
    return bytes
  }
}

function readLarge(repo: Repo, entries: readonly TreeEntry[]): Task[] {
  const blobs = readBlobs(
    repo,
    entries.flatMap((entry) => entry.blob ?? []),
  )
  return entries.flatMap(({ path, blob }) => {
    const read = readLargeFile(path, blob === null ? undefined : blobs.get(blob))
    return 'task' in read ? [read.task] : []
  })
}
