/** `gza review` and `gza improve`: a review of a task's work that a person asks for, or an improvement after one. */

import { personsReviews } from '../core/review/persons-reviews.ts'
import { lastReview } from '../core/run/review-cycles.ts'
import { command } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { refOf, type Task, titleOf, uidOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { completedReviews } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { openTaskFactory } from '../tasks/task-factory.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { othersOnBranch } from '../workspace/ledger/finished-work.ts'
import { entry, findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { configurationToWork } from './work-options.ts'

/** Adds a review task for the current work of the task; returns its id. */
export async function fileReview(ws: Workspace, ref: string): Promise<string> {
  assertAllowed('review', ws.actor)
  await configurationToWork(ws)
  return changeLedger(ws, (view) => {
    const task = finishedTask(view, ref, 'reviewed')
    const review = openTaskFactory(view)({
      content: `Review ${titleOf(task)}`,
      type: 'review',
      based_on: [refOf(task)],
      ...groupOf(task),
    })
    return { tasks: [review], subject: `add ${review.id}`, result: review.id }
  })
}

/**
 * Adds an improve task with the last review as its context, and the review that follows it; returns its id. `guide` says
 * what to look at.
 */
export async function fileImprove(
  ws: Workspace,
  ref: string,
  { review, guide }: { review: boolean; guide: string },
): Promise<string> {
  assertAllowed('improve', ws.actor)
  await configurationToWork(ws)
  return changeLedger(ws, (view) => {
    const task = finishedTask(view, ref, 'improved')
    const last = lastReviewTask(view, task)
    const hasReview = last !== null || isReviewed(view, task)
    if (!hasReview && guide === '') throw noReview(view, task)
    const file = openTaskFactory(view)
    const improve = file({
      content: [`Improve ${titleOf(task)}`, guide].filter(Boolean).join('\n\n'),
      type: 'improve',
      based_on: [refOf(task), ...(last === null ? [] : [refOf(last)])],
      ...(review && { create_review: true }),
      ...groupOf(task),
    })
    const next = review
      ? []
      : [file({ content: `Review ${titleOf(task)}`, type: 'review', depends_on: [refOf(improve)], ...groupOf(task) })]
    return { tasks: [improve, ...next], subject: `add ${improve.id}`, result: improve.id }
  })
}

function groupOf({ group }: Task) {
  return group === undefined ? {} : { group }
}

function finishedTask(view: LedgerView, ref: string, what: string): Task {
  const task = findTask(view, ref)
  const number = entry(view, task.uid)?.number ?? task.number
  if (task.status !== 'completed')
    throw new UserError('NOT_COMPLETED', `Task #${number} is ${task.status}; only finished work is ${what}`, {
      hint: command`why ${number}`,
    })
  if (task.branch !== undefined || task.closed_commit !== null) return task
  throw new UserError('NOTHING_TO_REVIEW', `Task #${number} made no commits that could be ${what}`, {
    hint: command`show ${number}`,
  })
}

/**
 * The newest finished review task of the task's branch, if it is newer than the last review of its own review cycle.
 */
function lastReviewTask(view: LedgerView, task: Task): Task | null {
  const { state } = view.ws
  const reviews = completedReviews(state, view.row.lid)
    .flatMap(({ uid }) => taskOf(state, view.row.lid, uid) ?? [])
    .filter((review) => isOf(view, review, task))
  const newest = reviews.toSorted((a, b) => String(a.closed_at).localeCompare(String(b.closed_at))).at(-1)
  const own = lastReview(task.phases)
  return newest === undefined || (own !== null && own.at > String(newest.closed_at)) ? null : newest
}

function isOf(view: LedgerView, review: Task, { uid, branch }: Task): boolean {
  const judged = [...review.depends_on, ...review.based_on, ...review.after].map(uidOf)
  if (judged.includes(uid)) return true
  return judged.some((other) => branch !== undefined && taskOf(view.ws.state, view.row.lid, other)?.branch === branch)
}

/** In its own review cycles, or by a person who has judged its branch. */
function isReviewed(view: LedgerView, task: Task): boolean {
  if (task.phases.some(({ phase }) => phase === 'review')) return true
  const others = task.branch === undefined ? [] : othersOnBranch(view, task, task.branch)
  return [task, ...others].some((work) => personsReviews(work).length > 0)
}

function noReview(view: LedgerView, task: Task): UserError {
  const number = entry(view, task.uid)?.number ?? task.number
  return new UserError('NO_REVIEW', `Task #${number} has no review to act on`, {
    hint: command`review ${number}`,
  })
}
