/**
 * Fast-forwards the base where it is checked out. The ref of a checked-out branch must not move alone, because the
 * files would then look like a revert of the work. So the checkout moves with it, as in `git merge --ff-only`, and only
 * if it has no uncommitted changes.
 */

import { join } from 'node:path'
import { printable } from '../../core/text/printable.ts'
import { contains } from '../../engine/worktree/commit-history.ts'
import { changedFilesNow } from '../../engine/worktree/workplace.ts'
import { fileExists } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { FAST_FORWARD, placeAt, tryOwnGit } from '../../platform/git/own-git.ts'
import { type HeldLock, heldLock, isLeft, locksAt, lockWords } from '../../platform/git/ref-lock.ts'
import { readRef } from '../../platform/git/refs.ts'
import { checkoutAt } from '../../platform/git/settings/checkout-place.ts'
import { readUncommittedNow } from '../../platform/git/uncommitted.ts'
import { openWorkTree } from '../../platform/git/worktrees.ts'
import { type LandedFile, readFollowing, readLeftFiles, type Side, type Step, settleFiles } from './half-followed.ts'

/** A checkout that should follow its base. */
export interface Followed extends Step {
  base: string
  /** An earlier attempt has begun, so the checkout may have followed in part. */
  isBegun: boolean
}

export interface FollowResult {
  /** Why it cannot move now, as the end of a sentence about the checkout; null: it has moved. */
  why: string | null
  isBegun: boolean
}

/**
 * Moves the checkout, or completes what an earlier attempt has begun. This git process has no marker: if gza is killed,
 * it runs to its end.
 */
export function followBase(repo: Repo, path: string, followed: Followed): FollowResult {
  // First, because it may ask git: no time may pass between the last look at the checkout and the merge.
  const place = checkoutAt(repo, path)
  waitForLocks(repo, path, followed.base)
  const { isBegun, base, from, to } = followed
  const busy = whyBusy(repo, path, followed)
  if (busy !== null) return { why: busy, isBegun }
  const following = isBegun ? readFollowing(repo, path, followed, 'from') : NOTHING
  if (following.kind === 'half') {
    const error = settleFiles(repo, path, following.files, 'to')
    const move = ['update-ref', '-m', 'gza: complete the landing', `refs/heads/${base}`, to, from]
    const exit = error === null ? tryOwnGit(place, move) : { code: 1, stderr: error }
    return { why: exit.code === 0 ? null : refusalOf(exit.stderr), isBegun }
  }
  if (!isOn(repo, path, base)) return { why: SWITCHED, isBegun }
  const exit = tryOwnGit(place, [...FAST_FORWARD, to])
  if (exit.code !== 0) return { why: refusalOf(exit.stderr), isBegun: true }
  const tip = readRef(repo, `refs/heads/${base}`)
  return { why: tip !== null && contains(repo, tip, to) ? null : SWITCHED, isBegun: true }
}

/** `git merge` moves whatever is checked out, so a person who switches in that moment must be noticed afterwards too. */
const SWITCHED = 'has switched to another branch'

function isOn(repo: Repo, path: string, base: string): boolean {
  const exit = tryOwnGit(placeAt(repo, path), ['symbolic-ref', '--quiet', 'HEAD'])
  return exit.stdout.toString().trim() === `refs/heads/${base}`
}

const NOTHING = { kind: 'none' } as const

/**
 * Brings the files of a half-followed checkout to one side: to that of its branch. Returns why it could not, or null;
 * also null if there is nothing to do.
 */
export function settleCheckout(repo: Repo, path: string, followed: Followed, goal: Side): string | null {
  if (openWorkTree(repo, path) === null) return null
  waitForLocks(repo, path, followed.base)
  const following = readFollowing(repo, path, followed, goal)
  return following.kind === 'half' ? bringTo(goal, repo, { path, base: followed.base, files: following.files }) : null
}

/** The same for a checkout whose branch has moved to `tip` meanwhile: what it has got of the landing is taken back. */
export function takeBack(repo: Repo, path: string, { base, ...step }: Followed, tip: string): string | null {
  if (openWorkTree(repo, path) === null) return null
  waitForLocks(repo, path, base)
  const files = readLeftFiles(repo, path, step, tip)
  return files.length === 0 ? null : bringTo('from', repo, { path, base, files })
}

function bringTo(goal: Side, repo: Repo, { path, base, files }: LandedFiles): string | null {
  const lock = whyLocked(repo, path, base)
  if (lock !== null) return lock
  const error = settleFiles(repo, path, files, goal)
  return error === null ? null : refusalOf(error)
}

interface LandedFiles {
  path: string
  base: string
  files: readonly LandedFile[]
}

/** Only looks; changes nothing. */
export function whyBusy(repo: Repo, path: string, followed: Followed): string | null {
  const { from, to, isBegun, base } = followed
  const workTree = openWorkTree(repo, path)
  if (workTree === null) return whyUnreadable(repo, path)
  if (workTree.unfinished !== null) return `is in the middle of a ${workTree.unfinished}`
  const lock = whyLocked(repo, path, base)
  if (lock !== null) return lock
  const following = isBegun ? readFollowing(repo, path, followed, 'from') : NOTHING
  if (following.kind === 'half') return null
  if (following.kind === 'changed')
    return `has only a part of the landed work, because a landing was cut off, and other changes in ${names(following.paths)}; move these files elsewhere, and the landing completes`
  const left = readUncommittedNow(placeAt(repo, path))
  const changed = left.changes.filter(({ state }) => state !== '??')
  if (changed.length > 0) return `has uncommitted changes in ${names(changed.map((change) => change.path))}`
  const hidden = new Set(left.hidden)
  const covered = hidden.size === 0 ? [] : changedFilesNow(repo, from, to).filter((file) => hidden.has(file))
  return covered.length === 0 ? null : `hides its changes in ${names(covered)} from git`
}

function whyUnreadable(repo: Repo, path: string): string {
  if (path === repo.commonDir) return 'is the git folder of a checkout elsewhere; land from that checkout'
  return fileExists(path)
    ? 'is a checkout from which git does not find this repository'
    : 'is a locked worktree whose folder is missing; the landing completes when it is back'
}

/** The locks that git needs in order to move the checkout and its branch. */
function locksOf(repo: Repo, path: string, base: string): HeldLock[] {
  const gitDir = openWorkTree(repo, path)?.gitDir ?? repo.gitDir
  const paths = [join(gitDir, 'index.lock'), join(gitDir, 'HEAD.lock'), join(repo.commonDir, `refs/heads/${base}.lock`)]
  return locksAt(paths)
}

/** A git process that is running releases its locks soon. Those that a dead one has left are not waited for. */
function waitForLocks(repo: Repo, path: string, base: string): void {
  for (
    let waited = 0;
    waited < PATIENCE_MS && locksOf(repo, path, base).some((lock) => !isLeft(lock));
    waited += LOOK_MS
  )
    Bun.sleepSync(LOOK_MS)
}

const PATIENCE_MS = 3000
const LOOK_MS = 50

/** The path of a lock that a dead git process has left, so that the checkout cannot move before a person acts. */
export function leftLockOf(repo: Repo, path: string, base: string): string | null {
  return locksOf(repo, path, base).find(isLeft)?.path ?? null
}

/** Whether a lock keeps the checkout from moving, of a git that works there or of a dead one. */
export function isCheckoutLocked(repo: Repo, path: string, base: string): boolean {
  return locksOf(repo, path, base).length > 0
}

/** gza cannot know whose lock it is, so it never removes one. */
function whyLocked(repo: Repo, path: string, base: string): string | null {
  const [lock] = locksOf(repo, path, base)
  return lock === undefined ? null : lockedWords(lock)
}

function lockedWords(lock: HeldLock): string {
  const { fact, next } = lockWords(lock)
  return `cannot follow: ${printable(fact)}. ${next}`
}

const NAMED = 5

function names(paths: readonly string[]): string {
  const more = paths.length - NAMED
  return `${paths.slice(0, NAMED).map(quoted).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function quoted(path: string): string {
  return printable(path)
}

function refusalOf(stderr: string): string {
  const lock = heldLock(stderr)
  if (lock !== null) return lockedWords(lock)
  const files = stderr.split('\n').flatMap((line) => (line.startsWith('\t') ? [line.trim()] : []))
  if (files.length > 0) return `has files in the way: ${names(files)}`
  const [first = ''] = stderr.trim().split('\n')
  return `cannot follow: ${printable(first.replace(/^(fatal|error): /, ''))}`
}
