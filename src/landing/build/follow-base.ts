/**
 * Fast-forwards the base where it is checked out. The ref of a checked-out branch must not move alone, because the
 * files would then look like a revert of the work. So the checkout moves with it, as in `git merge --ff-only`, and only
 * if it has no uncommitted changes.
 */

import { printable } from '../../core/text/printable.ts'
import { hiddenIn, listUncommittedNow, readIndexNow } from '../../engine/worktree/uncommitted.ts'
import { changedFilesNow } from '../../engine/worktree/workplace.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { placeAt, tryOwnGit } from '../../platform/git/own-git.ts'
import { findUnfinished, openWorkTree } from '../../platform/git/worktrees.ts'

/**
 * Moves the checkout. Returns why it cannot move now, as the end of a sentence about it, or null. This git process has
 * no marker: if gza is killed, it must run to its end, because half a checkout would look like a person's own changes.
 */
export function followBase(repo: Repo, path: string, { from, to }: { from: string; to: string }): string | null {
  const busy = whyBusy(repo, path, { from, to })
  if (busy !== null) return busy
  const exit = tryOwnGit(placeAt(repo, path), ['merge', ...FLAGS, to])
  return exit.code === 0 ? null : refusalOf(exit.stderr)
}

/** By default, git overwrites ignored files without a warning. */
const FLAGS = ['--quiet', '--ff-only', '--no-overwrite-ignore', '--no-autostash', '--no-verify-signatures', '--no-stat']

/** Only looks; changes nothing. */
export function whyBusy(repo: Repo, path: string, { from, to }: { from: string; to: string }): string | null {
  const workTree = openWorkTree(repo, path)
  if (workTree === null) return 'cannot be read'
  const unfinished = findUnfinished(workTree)
  if (unfinished !== null) return `is in the middle of a ${unfinished}`
  const place = placeAt(repo, path)
  const changed = listUncommittedNow(place).filter(({ state }) => state !== '??')
  if (changed.length > 0) return `has uncommitted changes in ${names(changed.map((change) => change.path))}`
  const hidden = new Set(hiddenIn(place, readIndexNow(place)))
  const covered = hidden.size === 0 ? [] : changedFilesNow(repo, from, to).filter((file) => hidden.has(file))
  return covered.length === 0 ? null : `hides its changes in ${names(covered)} from git`
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
  const files = stderr.split('\n').flatMap((line) => (line.startsWith('\t') ? [line.trim()] : []))
  if (files.length > 0) return `has files in the way: ${names(files)}`
  const [first = ''] = stderr.trim().split('\n')
  return `cannot follow: ${printable(first.replace(/^(fatal|error): /, ''))}`
}
