import { attemptsInOrder } from '../../core/landing/landable-branch.ts'
import { isCommitId } from '../../core/ledger/stored-names.ts'
import type { Task } from '../../core/task/task.ts'
import { readRef } from '../../platform/git/refs.ts'
import { finishedHeadOf } from './finished-work.ts'
import type { LedgerView } from './ledger-view.ts'

/** A task's work as two commits: what it was built on, and its last commit. */
export interface WorkRange {
  from: string
  to: string
}

/** The work in the base, as it landed. Null: it has not, or the branch has new commits since. */
export function landedRange(view: LedgerView, task: Task): WorkRange | null {
  const landed = attemptsInOrder(task).findLast(({ outcome }) => outcome === 'landed')
  const tips = [shownTip(view, task), branchTip(view, task)]
  const isLanded = (tip: string | null) => tip === null || tip === landed?.head || tip === landed?.rebased
  if (landed === undefined || !tips.some(isLanded)) return null
  const to = landed.commits?.at(-1)
  const { onto } = landed
  return isCommitId(to) && isCommitId(onto) ? { from: onto, to } : null
}

/** Its own finished work; while there is none, everything on its branch. */
export function shownTip(view: LedgerView, task: Task): string | null {
  return finishedHeadOf(view, task) ?? branchTip(view, task)
}

function branchTip({ ws }: LedgerView, { branch }: Task): string | null {
  return branch === undefined ? null : readRef(ws.repo, `refs/heads/${branch}`)
}
