/** Applies one branch's work on top of the commit that the landing place has checked out. */

import { UserError } from '../../core/user-error.ts'
import { type GitExit, gitError } from '../../platform/git/git.ts'
import { runOwnGit, tryOwnGit } from '../../platform/git/own-git.ts'
import { listUnmerged } from '../../platform/git/uncommitted.ts'
import { type LandOrder, trailersOf } from './land-order.ts'
import { type LandPlace, resetLandPlace } from './land-place.ts'
import { type OwnCommits, ownCommits } from './own-commits.ts'
import { squashCommit } from './squash-commit.ts'

export type Applied =
  /** `commits`: the commits in the base that contain the work, oldest first; empty if the base had all of it. */
  { kind: 'applied'; tip: string; commits: string[] } | { kind: 'conflict'; files: string[]; detail: string }

/** `start` is the commit that the place has checked out. After a conflict it is checked out again. */
export function applyBranch(place: LandPlace, order: LandOrder, start: string): Applied {
  const branchCommits = ownCommits(place, start, order.tip, order.landed)
  return branchCommits.commits.length === 0
    ? { kind: 'applied', tip: start, commits: [] }
    : applyOwn(place, order, branchCommits, start)
}

function applyOwn(place: LandPlace, order: LandOrder, branchCommits: OwnCommits, start: string): Applied {
  if (order.method === 'merge') return settle(place, start, mergeTip(place, order), branchCommits.commits)
  // A merge commit cannot be cherry-picked as one change, so the range becomes one commit.
  const isRow = order.method === 'cherry-pick' && branchCommits.merges.length === 0
  const picks = isRow ? branchCommits.commits : squashCommit(place, order, branchCommits, start)
  if (picks === null) return { kind: 'conflict', files: [], detail: 'has no history in common with the base' }
  return settle(place, start, pickCommits(place, picks), [])
}

/**
 * Picks each commit with its author, date and message, and leaves out those that the base has already. A commit whose
 * parent is checked out is taken unchanged, so that branches built on it are then built on the base.
 */
export function pickCommits(place: LandPlace, commits: readonly string[]): GitExit {
  const flags = ['--ff', '--allow-empty', '--allow-empty-message', '--no-gpg-sign']
  let exit = tryOwnGit(place, ['cherry-pick', ...flags, ...commits])
  // Git stops at a commit that became empty. Each skip continues with the rest.
  for (let left = commits.length; left > 0 && exit.code !== 0 && IS_EMPTY.test(exit.stderr); left--)
    exit = tryOwnGit(place, ['cherry-pick', '--skip'])
  return exit
}

const IS_EMPTY = /The previous cherry-pick is now empty/

function mergeTip(place: LandPlace, { tip, title, ids }: LandOrder): GitExit {
  const message = `Merge ${ids.join(', ')}: ${title}\n\n${trailersOf(ids)}`
  const flags = ['--quiet', '--no-ff', '--commit', '--no-squash', '--no-gpg-sign', '--no-verify-signatures']
  return tryOwnGit(place, ['merge', ...flags, '--no-autostash', '--no-log', '-m', message, tip])
}

/** The result: the commits of the branch that were taken unchanged and then the new ones, or the conflict. */
function settle(place: LandPlace, start: string, exit: GitExit, along: readonly string[]): Applied {
  if (exit.code === 0) return { kind: 'applied', ...landedCommits(place, start, along) }
  const conflict = describeConflict(place, exit)
  tryOwnGit(place, ['cherry-pick', '--quit'])
  resetLandPlace(place, start)
  return conflict
}

function landedCommits(place: LandPlace, start: string, along: readonly string[]): { tip: string; commits: string[] } {
  const made = runOwnGit(place, ['rev-list', '--reverse', '--first-parent', `${start}..HEAD`])
    .toString()
    .split('\n')
    .filter(Boolean)
  const tip = made.at(-1)
  return tip === undefined ? { tip: start, commits: [] } : { tip, commits: [...along, ...made] }
}

/** Git can refuse a branch for another reason than a conflict. That counts against the branch, unlike a full disk. */
function describeConflict(place: LandPlace, exit: GitExit): Applied {
  const error = gitError(['apply'], exit)
  const files = listUnmerged(place)
  if (files.length === 0 && error instanceof UserError) throw error
  const messages = `${exit.stdout}${exit.stderr}`.split('\n').filter((line) => /^(CONFLICT|error|fatal)/.test(line))
  const headline = files.length === 0 ? 'cannot be applied' : `conflicts in ${files.join(', ')}`
  return { kind: 'conflict', files, detail: [headline, ...messages.slice(0, 20)].join('\n') }
}
