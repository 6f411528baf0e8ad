import { runOwnGit } from '../../platform/git/own-git.ts'
import { type Applied, applyBranch, pickCommits } from './apply-branch.ts'
import type { LandOrder } from './land-order.ts'
import { headOf, type LandPlace, resetLandPlace } from './land-place.ts'
import { ownCommits } from './own-commits.ts'

export type Rebased = Extract<Applied, { kind: 'applied' }> & { rebased: string }

/**
 * A second way for a branch that conflicts as a whole: apply its commits one by one on top of the base, and land the
 * result instead of the branch. Null if that conflicts too, or if it is the way that was already tried.
 */
export function rebaseBranch(place: LandPlace, order: LandOrder, start: string): Rebased | null {
  const { commits, merges } = ownCommits(place, start, order.tip, order.landed)
  const picks = commits.filter((commit) => !merges.includes(commit))
  const isTried = order.method === 'cherry-pick' && merges.length === 0
  if (isTried || picks.length === 0) return null
  if (pickCommits(place, picks).code !== 0) return giveUp(place, start)
  const rebased = headOf(place)
  if (order.method === 'cherry-pick') return { kind: 'applied', tip: rebased, commits: range(place, start), rebased }
  resetLandPlace(place, start)
  const applied = applyBranch(place, { ...order, tip: rebased, landed: [] }, start)
  return applied.kind === 'applied' ? { ...applied, rebased } : null
}

function giveUp(place: LandPlace, start: string): null {
  runOwnGit(place, ['cherry-pick', '--quit'])
  resetLandPlace(place, start)
  return null
}

function range(place: LandPlace, start: string): string[] {
  return runOwnGit(place, ['rev-list', '--reverse', `${start}..HEAD`])
    .toString()
    .split('\n')
    .filter(Boolean)
}
