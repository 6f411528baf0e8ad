import { join } from 'node:path'
import { inspectFile } from '../files/inspect-file.ts'
import { type GitExit, type GitPlace, gitError, tryGit } from './git.ts'
import { runOwnGit, runOwnGitAsync, tryOwnGit, tryOwnGitAsync } from './own-git.ts'

export interface Change {
  /** Relative to the top of the worktree. A nested repository ends with a slash. */
  path: string
  /** Git's two letters: the index compared with HEAD, and the files compared with the index. */
  state: string
}

/**
 * Everything that differs from HEAD: each untracked file, but no ignored ones. No setting of the user hides a file, and
 * no lock is taken, because an agent may be committing there at this moment.
 */
export async function listUncommitted(place: GitPlace): Promise<Change[]> {
  return readChanges(await tryOwnGitAsync(place, STATUS))
}

/** The same, synchronously: for a choice during which nothing may change, and for a base that is about to move. */
export function listUncommittedNow(place: GitPlace): Change[] {
  return readChanges(tryOwnGit(place, STATUS))
}

/**
 * Never `--ignore-submodules=none`: git would start a second git in each nested repository, which runs the filters and
 * the fsmonitor that are configured there, and an agent may have made that repository. With `dirty`, git only compares
 * its commit.
 */
const STATUS_FLAGS = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty']
const STATUS = ['--no-optional-locks', 'status', ...STATUS_FLAGS]

/** Paths with a conflict. From the index alone: `git diff` would look into nested repositories. */
export function listUnmerged(place: GitPlace): string[] {
  const fields = runOwnGit(place, ['ls-files', '--unmerged', '-z']).toString().split('\0').filter(Boolean)
  return [...new Set(fields.map((field) => field.slice(field.indexOf('\t') + 1)))].sort()
}

/** The nested repositories that are tracked, as paths. */
export function listGitlinks(place: GitPlace): string[] {
  return readEntries(runOwnGit(place, ENTRIES)).flatMap(({ mode, path }) => (mode === GITLINK ? [path] : []))
}

/** The mode of a nested repository. */
export const GITLINK = '160000'

function readChanges(exit: GitExit): Change[] {
  if (exit.code !== 0) throw gitError(STATUS, exit)
  const fields = exit.stdout.toString().split('\0').filter(Boolean)
  return [
    ...fields.map((field) => ({ state: field.slice(0, 2), path: field.slice(3) })),
    ...unreadableIn(exit.stderr).map((path) => ({ state: '??', path })),
  ]
}

/** Folders that this user may not read. Git only warns of them, and what is in them would be lost with the worktree. */
function unreadableIn(stderr: string): string[] {
  const found = stderr.matchAll(/^warning: could not open directory '(.+?)\/?': Permission denied$/gm)
  return [...new Set([...found].map(([, path = '']) => path))]
}

/** Not in HEAD. */
export function isNew({ state }: Change): boolean {
  return state === '??' || state.includes('A')
}

/** In gza's own folder: what agents write there is an artifact, which is stored in the ledger and not on a branch. */
export function isOurs(change: Change): boolean {
  return isNew(change) && change.path.startsWith('.gza/')
}

/** What git's index contains about a file, except its content. */
interface IndexedFile {
  path: string
  /** As git prints it: `100644`, `160000` for a submodule. */
  mode: string
  isAssumedUnchanged: boolean
  isSkipped: boolean
}

const ENTRIES = ['ls-files', '-v', '--stage', '-z']

function readEntries(output: Buffer): IndexedFile[] {
  const fields = output.toString().split('\0').filter(Boolean)
  return fields.map((field) => {
    // `H` for most files, `S` for a skipped one; lower case for one that is assumed to be unchanged.
    const [tag = ''] = field
    const hidden = { isAssumedUnchanged: /[a-z]/.test(tag), isSkipped: /s/i.test(tag) }
    return { path: field.slice(field.indexOf('\t') + 1), mode: field.slice(2, 8), ...hidden }
  })
}

/** What a worktree has besides its commit. */
export interface Uncommitted {
  changes: Change[]
  index: IndexedFile[]
  /**
   * Files that git does not check for changes (`update-index --assume-unchanged`, `--skip-worktree`). No status shows
   * their changes, and `worktree remove` would delete them.
   */
  hidden: string[]
}

export async function readUncommitted(place: GitPlace): Promise<Uncommitted> {
  const [index, changes] = await Promise.all([readIndex(place), listUncommitted(place)])
  return { changes, ...index }
}

export async function readIndex(place: GitPlace): Promise<Omit<Uncommitted, 'changes'>> {
  const index = await readFiles(place)
  return { index, hidden: hiddenIn(place, index) }
}

/**
 * A run reads the index of its worktree when its agent has left, and again before the worktree is removed. Git writes a
 * new file for every change of an index, so that the second reading needs no git if the file is the same.
 */
async function readFiles(place: GitPlace): Promise<IndexedFile[]> {
  const { GIT_DIR, GIT_INDEX_FILE } = place.env
  const path = GIT_DIR && !GIT_INDEX_FILE ? join(GIT_DIR, 'index') : null
  const stamp = path === null ? null : inspectFile(path)?.stamp
  const known = path === null ? undefined : read.get(path)
  if (path !== null) read.delete(path)
  if (known !== undefined && known.stamp === stamp) return known.index
  const index = readEntries(await runOwnGitAsync(place, ENTRIES))
  if (path !== null && stamp && index.length <= MOST_REMEMBERED) read.set(path, { stamp, index })
  if (read.size > MOST_INDEXES) read.clear()
  return index
}

const read = new Map<string, { stamp: string; index: IndexedFile[] }>()
const MOST_REMEMBERED = 10_000
const MOST_INDEXES = 50

/** The same, synchronously. */
export function readUncommittedNow(place: GitPlace): Uncommitted {
  const index = readEntries(runOwnGit(place, ENTRIES))
  return { changes: listUncommittedNow(place), index, hidden: hiddenIn(place, index) }
}

function hiddenIn(place: GitPlace, index: readonly IndexedFile[]): string[] {
  const isOnlySkipped = (file: IndexedFile) => file.isSkipped && !file.isAssumedUnchanged
  const hidden = index.filter((file) => file.isSkipped || file.isAssumedUnchanged)
  const isSparseCheckout = hidden.some(isOnlySkipped) && isSparse(place)
  return hidden.filter((file) => !(isSparseCheckout && isOnlySkipped(file))).map(({ path }) => path)
}

/** Makes git check them again. */
export function showHidden(place: GitPlace, paths: readonly string[]): void {
  if (paths.length === 0) return
  const input = paths.map((path) => `${path}\0`).join('')
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
    runOwnGit(place, ['update-index', flag, '-z', '--stdin'], input)
  }
}

function isSparse(place: GitPlace): boolean {
  return tryGit(place, ['config', '--type=bool', 'core.sparseCheckout']).stdout.toString().trim() === 'true'
}
