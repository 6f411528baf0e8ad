/** A person's review of a task's work: a verdict on the commit that was shown, a summary, and comments on its lines. */
import { basename } from 'node:path'
import { addReview, type PersonsReview, type ReviewedAs } from '../../core/review/persons-reviews.ts'
import { reviewText } from '../../core/review/review-text.ts'
import { judgeReview } from '../../core/run/verdict.ts'
import { command } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { refuseNothingToJudge } from '../../tasks/checks/commit-to-judge.ts'
import { withoutSecrets } from '../../tasks/redact-input.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView, numberOf } from '../../workspace/ledger/ledger-view.ts'
import { readLinkedLedger } from '../../workspace/links/read-linked-ledger.ts'
import { freeCopy, writeCopy } from '../../workspace/texts/copies.ts'
import { refuseTooLarge } from '../../workspace/views/field-input.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type GivenComment, quotedComments } from './quote-lines.ts'
import { type ShownRange, shownRange } from './shown-range.ts'

export interface ReviewInput {
  /** The commit that the person has seen. */
  commit: string
  verdict: ReviewedAs
  summary: string
  comments: readonly GivenComment[]
}

/** The shape is public. */
export interface StoredReview extends PersonsReview {
  id: string
  number: number
  /** How many comments on lines it has. */
  comments: number
}

/** Stores the review as a text of the task, with the verdict, in one change. It counts for that commit only. */
export function reviewTask(ws: Workspace, ref: string, given: ReviewInput): StoredReview {
  assertAllowed('verdict', ws.actor)
  const input = withoutSecrets(ws, plainInput(given), 'review')
  refuseEmpty(input)
  readLinkedLedger(ws)
  const { text, stored } = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    refuseNothingToJudge(view, task, input.verdict)
    const range = shownRange(view, task)
    refuseOtherCommit(numberOf(view, task), range, input.commit)
    const text = textOf(view, range, input)
    const { verdict } = input
    const review = { name: freeName(view, task), at: ws.now(), by: ws.actor.name, head: range.to, verdict }
    const stored = { ...review, id: task.id, number: numberOf(view, task), comments: input.comments.length }
    return {
      tasks: [addReview(task, review, ws.random(8))],
      subject: `edit ${task.id} review ${verdict}`,
      result: { text, stored },
      artifacts: new Map([[`artifacts/${task.uid}/${review.name}`, text]]),
    }
  })
  writeCopy(ws, `.gza/reviews/${stored.name}`, text)
  return stored
}

function plainInput({ summary, comments, ...rest }: ReviewInput): ReviewInput {
  const plain = (text: string) => text.replace(/\r\n?/g, '\n').trim().toWellFormed()
  return { ...rest, summary: plain(summary), comments: comments.map((each) => ({ ...each, text: plain(each.text) })) }
}

function refuseEmpty({ verdict, summary, comments }: ReviewInput): void {
  if (comments.some(({ text }) => text === ''))
    throw new UserError('EMPTY_COMMENT', 'A comment needs some text', { hint: 'Nothing was saved.', exitCode: 2 })
  if (verdict === 'APPROVED' || summary !== '' || comments.length > 0) return
  throw new UserError('EMPTY_REVIEW', 'A review that requests changes says which', {
    hint: 'Nothing was saved. Write a summary, or comment on a line.',
    exitCode: 2,
  })
}

/** What was not seen is not judged. */
function refuseOtherCommit(number: number, { to, landed }: ShownRange, commit: string): void {
  const [now, then] = [to.slice(0, 10), commit.slice(0, 10)]
  if (landed)
    throw new UserError('ALREADY_LANDED', `Task #${number} has landed as ${now}; a review is about work before that`, {
      hint: command`improve ${number} "what to change"`,
    })
  if (to === commit) return
  throw new UserError('WORK_CHANGED', `Task #${number} is at ${now} now, and the review is about ${then}`, {
    hint: 'Nothing was saved. Look at the newer commit, then judge it.',
  })
}

function textOf({ ws }: LedgerView, range: ShownRange, { commit, verdict, summary, comments }: ReviewInput): string {
  const quoted = quotedComments(ws.repo, range, comments)
  const text = reviewText({ by: ws.actor.name, commit, verdict, summary, comments: quoted })
  refuseTooLarge(text, { text: 'review', holder: 'task' })
  const judged = judgeReview({ commit, review: text, message: '', answer: null })
  if (judged?.verdict === verdict && judged.why === null) return text
  throw new UserError(
    'OTHER_VERDICT',
    `The text of the review has another verdict than ${verdict}, or another commit`,
    {
      hint: 'Nothing was saved. Leave out lines that begin with "Verdict:" or "Commit:", or quote them.',
    },
  )
}

/** `YYYYMMDD-task-N-review-K.md`, like the reviews of agents. */
function freeName(view: LedgerView, task: Task): string {
  const date = task.created_at.slice(0, 10).replaceAll('-', '')
  for (let count = 1; ; count++) {
    const name = `${date}-task-${numberOf(view, task)}-review-${count}.md`
    if (basename(freeCopy(view.ws, `.gza/reviews/${name}`)) === name) return name
  }
}
