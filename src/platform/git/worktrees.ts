/** The worktrees of a repository, as git's own files show them. */
import { basename, dirname, join, resolve, sep } from 'node:path'
import {
  fileExists,
  firstIn,
  listFolders,
  readTextIfThere,
  readTextsIn,
  removeFile,
  removeFolder,
  writeText,
} from '../files/files.ts'
import { realPath } from '../files/inspect-file.ts'
import { readBelow } from '../files/untrusted/read-below.ts'
import { findRepo, hasOwnWorkTree, type Repo } from './find-repo.ts'
import { placeAt, runOwnGit, tryOwnGit } from './own-git.ts'
import { privateGitRoot } from './workplace-root.ts'
import { adminFolder } from './worktree-folder.ts'

/** A worktree that git lists, whether or not its folder still exists. */
export interface Worktree {
  path: string
  /** Always set if detached, otherwise only if git was called. */
  head: string
  /** null: detached. */
  branch: string | null
  /** Why it is locked; null if it is not. */
  lock: string | null
}

export function listWorktrees(repo: Repo): Worktree[] {
  return readWorktrees(repo) ?? askWorktrees(repo)
}

/** The checkouts of a branch: those on the branch, and those that return to it when their rebase or bisect ends. */
export function checkoutsOf(repo: Repo, branch: string): string[] {
  return listWorktrees(repo)
    .filter(({ path, branch: on }) => on === branch || (on === null && isReturningTo(repo, path, branch)))
    .filter((worktree) => isKept(repo, worktree))
    .map(({ path }) => path)
}

/**
 * Whether a worktree may be used again. A person locks one whose folder is not always there, such as one on another disk.
 * Git forgets any other as soon as its `.git` is gone. The repository's own checkout may be without one.
 */
function isKept(repo: Repo, { path, lock }: Worktree): boolean {
  if (fileExists(join(path, '.git')) || (lock !== null && !isOwnLock(lock))) return true
  return fileExists(path) && adminFolder(repo, path) === null
}

function isReturningTo(repo: Repo, path: string, branch: string): boolean {
  const workTree = openWorkTree(repo, path)
  if (workTree === null) return false
  const started = readTextsIn(workTree.gitDir, ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'])
  return started.map((name) => name?.trim()).some((name) => name === branch || name === `refs/heads/${branch}`)
}

/** Reads git's own files if they have the simple form; null: git must be called. */
function readWorktrees({ commonDir, hasFileRefs }: Repo): Worktree[] | null {
  if (
    !hasFileRefs ||
    basename(commonDir) !== '.git' ||
    hasOwnWorkTree(readTextIfThere(join(commonDir, 'config')) ?? '')
  )
    return null
  const linked = listFolders(join(commonDir, 'worktrees')).map((folder) => {
    const [gitdir, lock, head] = readTextsIn(folder, ['gitdir', 'locked', 'HEAD'])
    const link = gitdir?.trimEnd()
    return link ? readWorktree(dirname(resolve(folder, link)), head, lock?.trim() ?? null) : null
  })
  const [ownHead] = readTextsIn(commonDir, ['HEAD'])
  const all = [readWorktree(dirname(commonDir), ownHead, null), ...linked]
  return all.every((worktree) => worktree !== null) ? all : null
}

function readWorktree(path: string, text: string | null | undefined, lock: string | null): Worktree | null {
  const head = text?.trimEnd() ?? ''
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  if (branch !== undefined) return { path, head: '', branch, lock }
  return /^[0-9a-f]{40,64}$/.test(head) ? { path, head, branch: null, lock } : null
}

/**
 * A worktree names the place of its repository. If the repository was moved, git finds neither from the other; git repairs
 * that from the repository's side. Only if nothing is at the old place: that could be the repository that this one was
 * copied from.
 */
export function reconnectWorktree(repo: Repo, path: string): void {
  const target = linkOf(path)
  if (target !== null && !fileExists(target)) runOwnGit(repo, ['worktree', 'repair'])
}

/**
 * A copied repository lists the worktrees of the original, and git would not check out their branches a second time. Forgets
 * such an entry here, and touches nothing of the worktree. False: the worktree is not another repository's.
 */
export function forgetForeignWorktree(repo: Repo, path: string): boolean {
  const folder = adminFolder(repo, path)
  const target = folder === null ? null : linkOf(path)
  if (folder === null || target === null || !fileExists(target) || isOwnLink(repo, folder, target)) return false
  removeFolder(folder)
  return true
}

/** Where a worktree has its own part of the repository, as its `.git` file names it. */
export function linkOf(path: string): string | null {
  const link = readBelow(path, ['.git'], LONGEST_LINK)
  const target = /^gitdir: (.*)$/s.exec(link.kind === 'file' ? link.text.replace(/[\r\n]+$/, '') : '')?.[1]
  return target === undefined ? null : resolve(path, target)
}

export const LONGEST_LINK = 8192

/** The link leads to git's own folder for the worktree, or to the private one of the agent that works there now. */
function isOwnLink(repo: Repo, folder: string, target: string): boolean {
  return realPath(target) === realPath(folder) || isPrivate(repo, target)
}

/** For the time of a phase, the worktree's `.git` leads to the private git folder of the agent that works there. */
export function leadsToPrivate(repo: Repo, path: string): boolean {
  const target = linkOf(path)
  return target !== null && isPrivate(repo, target)
}

function isPrivate(repo: Repo, target: string): boolean {
  return target.startsWith(privateGitRoot(repo, repo.env) + sep)
}

/** A bare repository is listed first too, and is not a checkout. */
function askWorktrees(repo: Repo): Worktree[] {
  const text = runOwnGit(repo, ['worktree', 'list', '--porcelain']).toString()
  const [own, ...linked] = text.split('\n\n').map(readBlock)
  const first = own == null ? null : { ...own, path: ownCheckout(repo, own.path) }
  return [first, ...linked].filter((worktree) => worktree != null)
}

/**
 * Where the repository's own checkout is. Git lists the git folder itself if that is not inside of the checkout, as in a
 * submodule and after `git init --separate-git-dir`. The latter is written only in the checkout.
 */
function ownCheckout(repo: Repo, listed: string): string {
  const { commonDir, gitDir, workTree } = repo
  const set = tryOwnGit(placeAt(repo, commonDir), ['--git-dir', commonDir, 'config', '--type=path', 'core.worktree'])
  if (set.code === 0) return resolve(commonDir, set.stdout.toString().replace(/\n$/, ''))
  const isInside = realPath(listed) !== realPath(commonDir)
  return isInside || gitDir !== commonDir ? listed : (workTree ?? listed)
}

function readBlock(block: string): Worktree | null {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+|HEAD)(?: (.*))?$/s.exec(line) ?? []
    if (name !== '' && !fields.has(name)) fields.set(name, value)
  }
  const path = fields.get('worktree')
  if (path === undefined || fields.has('bare')) return null
  return {
    path,
    head: fields.get('HEAD') ?? '',
    branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
    lock: fields.get('locked') ?? null,
  }
}

/** The repository as seen from one of its worktrees. */
export interface OpenWorktree extends Repo {
  /** The operation that is in progress there. */
  unfinished: Unfinished | null
}

/** Null if there is no such worktree. */
export function openWorkTree(repo: Repo, path: string): OpenWorktree | null {
  const gitDir = adminFolder(repo, path)
  return gitDir === null ? openOwnTree(repo, path) : openLinked(repo, path, gitDir)
}

function openLinked(repo: Repo, path: string, gitDir: string): OpenWorktree | null {
  const target = linkOf(path)
  if (target === null || !isOwnLink(repo, gitDir, target) || !fileExists(join(gitDir, 'HEAD'))) return null
  const { env } = placeAt(repo, path)
  return { ...repo, dir: path, env, gitDir, workTree: path, unfinished: unfinishedIn(gitDir) }
}

function openOwnTree(repo: Repo, path: string): OpenWorktree | null {
  if (!fileExists(join(path, '.git'))) return null
  try {
    const found = findRepo(path, placeAt(repo, path).env)
    if (realPath(found.commonDir) !== realPath(repo.commonDir) || found.workTree === null) return null
    return { ...found, unfinished: unfinishedIn(found.gitDir) }
  } catch {
    return null
  }
}

export type Unfinished = 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect'

/** `gitDir`: git's own folder for the worktree. */
export function unfinishedIn(gitDir: string): Unfinished | null {
  const trace = firstIn(gitDir, [...TRACES.keys()])
  return trace === null ? null : (TRACES.get(trace) ?? null)
}

/**
 * Files that git keeps in its folder of a worktree during an operation. A rebase uses cherry-picks, so it comes first.
 */
const TRACES: ReadonlyMap<string, Unfinished> = new Map([
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
])

/**
 * For `git worktree add`: the lock that git itself has while it makes a worktree, kept afterwards. So a worktree is
 * locked at every moment, and counts as half-made until `lockWorktree` gives it its own lock.
 */
export const LOCKED_AT_FIRST = ['--lock', '--reason', 'initializing']

/** Whether git's lock of a worktree says that it is only half made. */
export function isInitializing(lock: string | null): boolean {
  return lock?.trim() === 'initializing'
}

/** While its run lives, git removes it only with `--force` twice. A person's own lock stays. */
export function lockWorktree(repo: Repo, path: string, why: string): void {
  const folder = adminFolder(repo, path)
  if (folder === null) throw new Error('git has no folder for this worktree')
  const lock = readTextIfThere(join(folder, 'locked'))
  if (lock === null || isInitializing(lock) || isOwnLock(lock)) writeText(join(folder, 'locked'), `${OWN_LOCK}${why}\n`)
}

/** A lock that gza has written. Its run may be dead. */
export function isOwnLock(lock: string): boolean {
  return lock.startsWith(OWN_LOCK)
}

const OWN_LOCK = 'gza: '

export function unlockWorktree(repo: Repo, path: string): void {
  const folder = adminFolder(repo, path)
  const lock = folder === null ? null : readTextIfThere(join(folder, 'locked'))
  if (folder !== null && lock !== null && isOwnLock(lock)) removeFile(join(folder, 'locked'))
}
