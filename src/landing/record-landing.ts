/** Records the facts of a landing in the ledger. */

import { lastRefusal, nextAttemptCount, refusalsOf } from '../core/landing/landable-branch.ts'
import { isSetAside } from '../core/run/finished-work.ts'
import { linkCommits, recordLanding, reopenTask } from '../core/task/operations.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import type { LandAttempt, Task } from '../core/task/task.ts'
import { firstLine } from '../core/text/first-line.ts'
import { type RefUpdate, readRef } from '../platform/git/refs.ts'
import { checkoutsOf } from '../platform/git/worktrees.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { changeLedger, type Decision } from '../workspace/ledger/change-ledger.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Intent } from './build/intent.ts'
import type { Refusal } from './build/land-batch.ts'

/**
 * Records that the branches have landed. With `movesBase`, the base moves in the same transaction, so that both happen
 * or neither does. Null: the base has moved since the landing was built.
 */
export function recordLanded(ws: Workspace, intent: Intent, { movesBase }: { movesBase: boolean }): Task[] | null {
  const ref = `refs/heads/${intent.base}`
  return changeLedger(ws, (view): Decision<Task[] | null> => {
    if (movesBase && readRef(ws.repo, ref) !== intent.from) return { tasks: [], subject: '', result: null }
    const tasks = intent.works.flatMap((work) => landedTasks(view, intent, work))
    const known = tasks.filter(({ isNew }) => isNew)
    const names = known.map(({ task }) => task.id).join(' ')
    return {
      tasks: known.map(({ task }) => task),
      subject: `land ${names} on ${intent.base}`,
      result: tasks.map(({ task }) => task),
      // The base first: without it, the ledger would say that work has landed which is in no base.
      movesBefore: [...(movesBase ? [{ ref, to: intent.to, from: intent.from }] : []), ...rebasedBranches(ws, intent)],
    }
  })
}

type LandedBranch = Intent['works'][number]

function landedTasks(view: LedgerView, intent: Intent, work: LandedBranch): { task: Task; isNew: boolean }[] {
  return work.uids.flatMap((uid): { task: Task; isNew: boolean }[] => {
    const task = taskOf(view.ws.state, view.row.lid, uid)
    if (task === null) return []
    if (task.landings.some(({ id }) => id === work.id)) return [{ task, isNew: false }]
    const landed = recordLanding(task, attemptOf(task, intent, work))
    // The commit that a person has linked to a task that was closed by hand stays its commit.
    const hasOwnCommit = isSetAside(task) && task.closed_commit !== null
    const isLinked = task.status === 'completed' && !hasOwnCommit && work.commits.length > 0
    return [{ task: isLinked ? linkCommits(landed, work.commits) : landed, isNew: true }]
  })
}

function attemptOf(task: Task, { at, by, base }: Intent, work: LandedBranch): LandAttempt {
  const { id, head, method, commits, onto, rebased } = work
  const about = { id, generation: task.generation, n: nextAttemptCount(task), at, by, base, head, method, onto }
  return { ...about, outcome: 'landed', commits, ...(rebased !== null && { rebased }) }
}

/** A branch that landed by a rebase moves to its new tip, unless it is checked out. Its reflog keeps the old tip. */
function rebasedBranches({ repo }: Workspace, { works }: Intent): RefUpdate[] {
  return works.flatMap(({ branch, head, rebased }) => {
    const ref = `refs/heads/${branch}`
    if (rebased === null || readRef(repo, ref) !== head || checkoutsOf(repo, branch).length > 0) return []
    return [{ ref, to: rebased, from: head }]
  })
}

export interface Returned {
  task: Task
  /** True: its next run gets the reason. False: it is in the inbox. */
  isSentBack: boolean
}

/** Records why a task did not land, and reopens it until its attempts are used up. Null: it has changed meanwhile. */
export function recordRefusal(
  ws: Workspace,
  refusal: Refusal & { uid: string; base: string },
  attempts: number,
): Returned | null {
  const { order, outcome, detail, onto, base, uid } = refusal
  return changeLedger(ws, (view): Decision<Returned | null> => {
    const task = taskOf(view.ws.state, view.row.lid, uid)
    if (task === null || !isFinished(task) || readRef(ws.repo, `refs/heads/${order.branch}`) !== order.branchTip)
      return { tasks: [], subject: '', result: null }
    const n = nextAttemptCount(task)
    const about = { id: ws.random(16), generation: task.generation, n, at: ws.now(), by: ws.actor.name }
    const attempt = { ...about, base, head: order.tip, outcome, method: order.method, detail, onto }
    // A person has decided about a task that was set aside: it does not go back to its agent.
    const isSentBack = !isSetAside(task) && refusalsOf(task) < attempts
    const refused = recordLanding(task, attempt)
    const next = isSentBack ? reopenTask(refused) : refused
    const word = isSentBack ? 'send back' : 'refuse'
    return { tasks: [next], subject: `${word} ${task.id} (${outcome})`, result: { task: next, isSentBack } }
  })
}

/** The last refusal in one line. */
export function refusalLine(task: Task): string {
  return firstLine(lastRefusal(task)?.detail ?? '')
}
