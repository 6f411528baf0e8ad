/**
 * A checkout that has followed its base only in part: git was killed in the middle, or a lock prevented the last step.
 * Then files and index have the landed work, or some of it, and the branch does not, so the work looks like changes of
 * the person. It is recognized by its content: each file that the landing changes is as before the landing or as after
 * it. Such a checkout can be completed or taken back, and everything else in it stays as it is.
 */
import { dirname, join } from 'node:path'
import { makeTemporaryFolder, removeFile, removeFolder } from '../../platform/files/files.ts'
import { inspectFile, readRaw, removeEmptyFolder } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { placeAt, runOwnGit, tryOwnGit } from '../../platform/git/own-git.ts'
import { checkoutAt } from '../../platform/git/settings/checkout-place.ts'
import { GITLINK, listUncommittedNow } from '../../platform/git/uncommitted.ts'

/** The commits before and after a landing. */
export interface Step {
  from: string
  to: string
}

export type Side = keyof Step

export type Following =
  /** Nothing of the landing is in the checkout, or all of it. */
  | { kind: 'none' }
  | { kind: 'half'; files: LandedFile[] }
  /** Some files have the landed work, and these have something else. */
  | { kind: 'changed'; paths: string[] }

/** A file that the landing changes. */
export interface LandedFile {
  path: string
  /** As in a tree of git; null: it does not exist on that side. */
  from: TreeEntry | null
  to: TreeEntry | null
  /** What the working tree has; `between`: missing, or not fully written. */
  work: Side | 'between' | 'other'
  index: Side | 'other'
}

interface TreeEntry {
  mode: string
  oid: string
}

/** Only looks. `at`: the side that the branch is on. */
export function readFollowing(repo: Repo, path: string, step: Step, at: Side): Following {
  const place = placeAt(repo, path)
  const landed = changedEntries(place, step)
  const seen = new Set(listUncommittedNow(place).map((change) => change.path))
  // A new file that the repository ignores is in no status.
  const isNew = (file: LandedEntry) => file.from === null && inspectFile(join(path, file.path)) !== null
  if (!landed.some((file) => seen.has(file.path) || (at === 'from' && isNew(file)))) return { kind: 'none' }
  const files = readFiles(place, landed, step)
  if (!files.some((file) => isMoved(file, at))) return { kind: 'none' }
  const others = files.filter(isChanged).map((file) => file.path)
  return others.length > 0 ? { kind: 'changed', paths: others } : { kind: 'half', files }
}

/**
 * The files of a landing that the checkout has got, although its branch has moved to `tip` without it: a person has
 * committed meanwhile. What that commit has changed is not among them, nor what the person has changed since.
 */
export function readLeftFiles(repo: Repo, path: string, step: Step, tip: string): LandedFile[] {
  const place = placeAt(repo, path)
  const since = new Set(changedEntries(place, { from: step.from, to: tip }).map((file) => file.path))
  const landed = changedEntries(place, step).filter((file) => !since.has(file.path))
  return readFiles(place, landed, step).filter((file) => isMoved(file, 'from') && !isChanged(file))
}

function isMoved({ work, index }: LandedFile, at: Side): boolean {
  const away = at === 'from' ? 'to' : 'from'
  return index === away || work === away || work === 'between'
}

/** Git writes a file before its entry in the index, so the reverse is a person's change. */
function isChanged({ work, index }: LandedFile): boolean {
  return index === 'other' || work === 'other' || (index === 'to' && work === 'from')
}

/**
 * Brings the files of the landing to one side. Files first, then the index: if this is cut off, the checkout is again a
 * half one. Returns git's error, or null.
 */
export function settleFiles(repo: Repo, path: string, files: readonly LandedFile[], goal: Side): string | null {
  const place = checkoutAt(repo, path)
  const moving = files.filter(({ work }) => work !== goal)
  for (const file of moving.filter((each) => each[goal] === null)) removeWithFolders(path, file.path)
  const written = writeFiles(place, moving, goal)
  if (written !== null) return written
  const exit = tryOwnGit(place, ['update-index', '-z', '--index-info'], indexLines(files, goal))
  if (exit.code !== 0) return exit.stderr
  tryOwnGit(place, ['update-index', '-q', '--refresh'])
  return null
}

function removeWithFolders(root: string, path: string): void {
  removeFile(join(root, path))
  for (let folder = dirname(path); folder !== '.' && removeEmptyFolder(join(root, folder)); ) folder = dirname(folder)
}

function writeFiles(place: GitPlace, files: readonly LandedFile[], goal: Side): string | null {
  const there = files.filter((file) => file[goal] !== null && !isSubmodule(file))
  if (there.length === 0) return null
  return inOwnIndex(place, there, goal, (own) => {
    const exit = tryOwnGit(own, ['checkout-index', '--force', '--quiet', '--all'])
    return exit.code === 0 ? null : exit.stderr
  })
}

type LandedEntry = Pick<LandedFile, 'path' | Side>

function changedEntries(place: GitPlace, { from, to }: Step): LandedEntry[] {
  const words = runOwnGit(place, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to])
    .toString()
    .split('\0')
  return Array.from({ length: Math.floor(words.length / 2) }, (_, at) => {
    const [fromMode = '', toMode = '', fromOid = '', toOid = ''] = (words[at * 2] ?? '').slice(1).split(' ')
    const path = words[at * 2 + 1] ?? ''
    return { path, from: entryOf(fromMode, fromOid), to: entryOf(toMode, toOid) }
  })
}

function entryOf(mode: string, oid: string): TreeEntry | null {
  return mode === '000000' ? null : { mode, oid }
}

function readFiles(place: GitPlace, landed: readonly LandedEntry[], step: Step): LandedFile[] {
  const staged = { from: stagedBeyond(place, step.from), to: stagedBeyond(place, step.to) }
  const work = { from: differingFrom(place, landed, 'from'), to: differingFrom(place, landed, 'to') }
  return landed.map((file) => {
    const index = sideOf(file.path, staged)
    // Git never moves the checkout of a submodule along.
    if (isSubmodule(file)) return { ...file, index, work: index }
    const found = sideOf(file.path, work)
    return { ...file, index, work: found === 'other' && isBetween(place, file) ? 'between' : found }
  })
}

function sideOf(path: string, differing: Record<Side, ReadonlySet<string>>): Side | 'other' {
  if (!differing.to.has(path)) return 'to'
  return differing.from.has(path) ? 'other' : 'from'
}

function isSubmodule({ from, to }: LandedEntry): boolean {
  return from?.mode === GITLINK || to?.mode === GITLINK
}

/** The paths whose entry in the index differs from a commit. */
function stagedBeyond(place: GitPlace, commit: string): Set<string> {
  return pathsIn(runOwnGit(place, ['diff-index', '--cached', '--name-only', '--no-renames', '-z', commit, '--']))
}

/** The paths whose file differs from one side. */
function differingFrom(place: GitPlace, landed: readonly LandedEntry[], side: Side): Set<string> {
  const there = landed.filter((file) => file[side] !== null && !isSubmodule(file))
  const extra = landed.filter((file) => file[side] === null && isFile(place, file.path)).map(({ path }) => path)
  const differing = inOwnIndex(place, there, side, (own) => {
    tryOwnGit(own, ['update-index', '-q', '--refresh'])
    return pathsIn(runOwnGit(own, ['diff-files', '--name-only', '--ignore-submodules=dirty', '-z']))
  })
  return new Set([...differing, ...extra])
}

function isFile({ dir }: GitPlace, path: string): boolean {
  const facts = inspectFile(join(dir, path))
  return facts !== null && facts.kind !== 'folder'
}

/** A killed git may have removed a file, or written the beginning of the new one. */
function isBetween(place: GitPlace, { path, to }: LandedEntry): boolean {
  const facts = inspectFile(join(place.dir, path))
  if (facts === null) return true
  if (facts.kind !== 'file' || to === null) return false
  const whole = tryOwnGit(place, ['cat-file', '--filters', `--path=${path}`, to.oid])
  const begun = readRaw(join(place.dir, path))
  return whole.code === 0 && begun !== null && whole.stdout.toString('latin1').startsWith(begun)
}

/** With an index of its own that has only these files, so that the person's index is not touched. */
function inOwnIndex<T>(place: GitPlace, files: readonly LandedEntry[], side: Side, use: (own: GitPlace) => T): T {
  const folder = makeTemporaryFolder('gza-index')
  try {
    const own = { ...place, env: { ...place.env, GIT_INDEX_FILE: join(folder, 'index') } }
    runOwnGit(own, ['update-index', '-z', '--index-info'], indexLines(files, side))
    return use(own)
  } finally {
    removeFolder(folder)
  }
}

function indexLines(files: readonly LandedEntry[], side: Side): string {
  return files
    .map((file) => {
      const entry = file[side]
      const oid = entry?.oid ?? '0'.repeat((file.from ?? file.to)?.oid.length ?? 40)
      return `${entry?.mode ?? '0'} ${oid}\t${file.path}\0`
    })
    .join('')
}

function pathsIn(output: Buffer): Set<string> {
  return new Set(output.toString().split('\0').filter(Boolean))
}
