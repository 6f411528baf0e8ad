import { dirname } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import { ensureFolder } from '../../platform/files/files.ts'
import { realPath } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runOwnGit, runOwnGitAsync } from '../../platform/git/own-git.ts'
import { readRef } from '../../platform/git/refs.ts'
import { checkoutAt, checkoutFrom } from '../../platform/git/settings/checkout-place.ts'
import { adminFolder } from '../../platform/git/worktree-folder.ts'
import { LOCKED_AT_FIRST, lockWorktree } from '../../platform/git/worktrees.ts'
import { contains, findBase, needCommits } from './commit-history.ts'
import { discardHalfMade, whileHalfMade } from './half-made.ts'
import { type Conflict, mergeIn } from './merge-in.ts'
import { removeWorkplace } from './remove.ts'
import { settlePath } from './settle-path.ts'
import type { Workplace } from './workplace.ts'

export interface WorkplaceOrder {
  branch: string
  path: string
  /** The commit that a new branch starts from. */
  from: string
  /** Further commits that the work builds on. Those that the branch does not have are merged in this order. */
  merge: readonly string[]
  /** `Name <mail>` for the merges. */
  identity: string
  /** Why nobody may remove the worktree. */
  lock: string
}

/** `isFresh`: everything in the worktree is from its commit. */
export type Prepared = { workplace: Workplace; isFresh: boolean } | { conflict: Conflict }

/**
 * Makes a branch with its own worktree that contains everything the work builds on. It can be called again after a
 * crash. The branch is created after all merges, so it never lacks a predecessor's work.
 */
export async function prepareWorkplace(repo: Repo, order: WorkplaceOrder): Promise<Prepared> {
  const { branch, from, merge } = order
  const path = realPath(order.path)
  if (merge.length > 0) needCommits(repo, [from, ...merge])
  const state = await settlePath(repo, path, branch)
  const tip = readRef(repo, `refs/heads/${branch}`)
  const plan = planStart(repo, tip ?? from, merge)
  ensureFolder(dirname(path))
  const isMerged = plan.rest.length > 0 || (tip !== null && plan.start !== tip)
  if (isMerged) {
    if (state === 'there' && (await removeWorkplace(repo, { path })) === 'kept') throw notClean(path)
    const conflict = await layOutMerged(repo, { ...order, path }, plan, tip)
    if (conflict) return { conflict }
  } else if (tip === null) await startBranch(repo, branch, path, plan.start)
  else if (state === 'free') await addWorktree(repo, path, branch)
  lockWorktree(repo, path, order.lock)
  const head = headOf(repo, branch)
  const base = tip === null ? head : findBase(repo, head, [from, ...merge])
  return { workplace: { branch, path, base }, isFresh: isMerged || state === 'free' }
}

interface StartPlan {
  start: string
  /** What must be merged into it. */
  rest: string[]
}

/** Commits in one line need no merge: the last one contains the others. */
function planStart(repo: Repo, from: string, merge: readonly string[]): StartPlan {
  let start = from
  const rest: string[] = []
  for (const commit of merge) {
    if (contains(repo, start, commit)) continue
    if (rest.length === 0 && contains(repo, commit, start)) start = commit
    else rest.push(commit)
  }
  return { start, rest }
}

/** First a detached worktree. After the merges the branch is created, or moved from `tip`, and checked out. */
async function layOutMerged(
  repo: Repo,
  order: WorkplaceOrder,
  plan: StartPlan,
  tip: string | null,
): Promise<Conflict | null> {
  const { branch, path, identity } = order
  await addWorktree(repo, '--detach', path, plan.start)
  return whileHalfMade(adminFolder(repo, path), () => {
    const place = checkoutAt(repo, path, identity)
    const found = mergeIn(place, plan.rest, branch)
    if (found) {
      discardHalfMade(repo, path)
      return found
    }
    const ref = `refs/heads/${branch}`
    const head = runOwnGit(place, ['rev-parse', 'HEAD']).toString().trim()
    runOwnGit(place, ['update-ref', '--create-reflog', '-m', 'gza: start', ref, head, tip ?? repo.zeroOid])
    runOwnGit(place, ['symbolic-ref', '-m', `gza: start ${branch}`, 'HEAD', ref])
    return null
  })
}

async function startBranch(repo: Repo, branch: string, path: string, start: string): Promise<void> {
  try {
    await addWorktree(repo, '-b', branch, path, start)
  } catch (error) {
    needCommits(repo, [start])
    // Git creates the branch first. If it fails after that, the second call finds the branch.
    if (readRef(repo, `refs/heads/${branch}`) !== start) throw error
    await addWorktree(repo, path, branch)
  }
}

/** The last word is the branch or the commit. */
async function addWorktree(repo: Repo, ...args: string[]): Promise<void> {
  const commit = args.at(-1)
  await runOwnGitAsync(checkoutFrom(repo, commit), ['worktree', 'add', '--quiet', ...LOCKED_AT_FIRST, ...args])
}

function headOf(repo: Repo, branch: string): string {
  const head = readRef(repo, `refs/heads/${branch}`)
  if (head === null) throw new Error(`branch ${branch} vanished while its worktree was prepared`)
  return head
}

function notClean(path: string): UserError {
  return new UserError('WORKPLACE_DIRTY', `The worktree ${path} has changes that are not committed`, {
    hint: 'The work that it builds on must be merged into it first: commit the changes, then run the command again.',
  })
}
