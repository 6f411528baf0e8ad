/** Every review of the work on a task's branch, oldest first: by people with their comments, and by agents. */
import { basename } from 'node:path'
import { compareText } from '../../core/ledger/canonical.ts'
import { personsReviews } from '../../core/review/persons-reviews.ts'
import { type LineComment, readReviewText } from '../../core/review/review-text.ts'
import type { Task, Verdict } from '../../core/task/task.ts'
import { reviewsOf } from '../../state/index/dependency-rows.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { othersOnBranch } from '../../workspace/ledger/finished-work.ts'
import { findTask, type LedgerView, numberOf } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { readText, textsOf } from '../../workspace/texts/task-texts.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export interface ReviewOfWork {
  /** The task that has the text, and its name there. */
  number: number
  name: string | null
  by: string
  is_person: boolean
  at: string
  /** The commit that was judged. */
  head: string
  verdict: Verdict
  summary: string
  comments: LineComment[]
}

export function listReviews(ws: Workspace, ref: string): ReviewOfWork[] {
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const works = [task, ...(task.branch === undefined ? [] : othersOnBranch(view, task, task.branch))]
  const uids = new Set(works.flatMap(({ uid }) => reviewsOf(ws.state, view.row.lid, uid)))
  const judges = [...uids].flatMap((uid) => taskOf(ws.state, view.row.lid, uid) ?? [])
  const reviews = [
    ...works.flatMap((work) => [...byPeople(view, work), ...inCycles(view, work)]),
    ...judges.flatMap((judge) => byTask(view, judge)),
  ]
  return reviews.sort((a, b) => compareText(a.at, b.at))
}

function byPeople(view: LedgerView, task: Task): ReviewOfWork[] {
  const texts = new Map(textsOf(view, task).map((text) => [text.name, text]))
  return personsReviews(task).map(({ name, by, at, head, verdict }) => {
    const text = texts.get(name)
    const read = readReviewText(text === undefined ? '' : (readText(view, text) ?? ''))
    return { number: numberOf(view, task), name, by, is_person: true, at, head, verdict, ...read }
  })
}

function inCycles(view: LedgerView, task: Task): ReviewOfWork[] {
  return task.phases.flatMap(({ verdict, head, at, agent, artifact, summary = '' }) => {
    if (verdict === undefined) return []
    const name = typeof artifact === 'string' ? basename(artifact) : null
    return [reviewBy(String(agent ?? 'agent'), { number: numberOf(view, task), name, at, head, verdict, summary })]
  })
}

function byTask(view: LedgerView, task: Task): ReviewOfWork[] {
  return task.runs.flatMap(({ verdict, head, ended_at: at, agent, summary = '' }) => {
    if (verdict === undefined || head === undefined || at === undefined) return []
    const judged = { number: numberOf(view, task), name: null, at, head, verdict: verdict as Verdict }
    return [reviewBy(String(agent ?? 'agent'), { ...judged, summary: String(summary) })]
  })
}

function reviewBy(by: string, review: Omit<ReviewOfWork, 'by' | 'is_person' | 'comments'>): ReviewOfWork {
  return { ...review, by, is_person: false, comments: [] }
}
