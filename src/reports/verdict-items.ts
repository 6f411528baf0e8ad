/** Finished work that a person must look at, according to its review. */

import { personsVerdict } from '../core/landing/persons-verdict.ts'
import { countedPhases, lastReview, viewReview } from '../core/run/review-cycles.ts'
import { lastRun } from '../core/run/run-rules.ts'
import { commandLine } from '../core/sentence.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import { type Task, uidOf } from '../core/task/task.ts'
import { hasFollowUp } from '../state/index/dependency-rows.ts'
import type { Entry } from '../state/index/index-tables.ts'
import { completedWithOpenVerdict } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { nameOf } from '../workspace/views/task-status.ts'
import type { InboxItem } from './inbox-item.ts'

export interface VerdictItems {
  items: InboxItem[]
  /** The ids of the tasks that the reviews among them have judged. */
  judged: ReadonlySet<string>
  /** The uids of reviewed work, and of reviews, about which a person must decide. */
  discussed: ReadonlySet<string>
}

export function verdictItems(view: LedgerView): VerdictItems {
  const judged = new Set<string>()
  const discussed = new Set<string>()
  const items = completedWithOpenVerdict(view.ws.state, view.row.lid).flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const verdict = task && viewReview(task, false).verdict
    if (!verdict || verdict === 'APPROVED') return []
    const work = task.type === 'review' ? judgedTask(view, task) : null
    const found =
      task.type === 'review' ? reviewItem(view, row, { task, work, verdict }) : unapproved(view, row, task, verdict)
    if (verdict === 'NEEDS_DISCUSSION' && found.length > 0)
      for (const uid of [task.uid, work?.uid ?? task.uid]) discussed.add(uid)
    if (work !== null && found.length > 0) judged.add(work.id)
    return found
  })
  return { items, judged, discussed }
}

/** A task whose review cycles have ended without an approval. */
function unapproved(view: LedgerView, row: Entry, task: Task, verdict: string): InboxItem[] {
  if (verdict !== 'NEEDS_DISCUSSION' && verdict !== 'MAX_CYCLES_REACHED') return []
  // A person has landed it unchanged, or a later task improves or reviews the same work.
  const { landings, generation, uid } = task
  if (landings.some((landing) => landing.outcome === 'landed' && landing.generation === generation)) return []
  if (hasFollowUp(view.ws.state, view.row.lid, uid)) return []
  const review = lastReview(countedPhases(task))
  const detail = `${review?.summary ?? WANTS_DECISION} (${review?.artifact})`
  return [{ task: nameOf(view, row), code: verdict, detail, commands: waysOut(row.number) }]
}

const WANTS_DECISION = 'the review asks for a decision by a person'

function waysOut(number: number): string[] {
  return [commandLine`improve ${number} --review`, commandLine`edit ${number} --verdict APPROVED`]
}

interface ReviewOfWork {
  task: Task
  /** Null: it is not in this ledger. */
  work: Task | null
  verdict: string
}

/** A review task that has not approved, with its first blocker. */
function reviewItem(view: LedgerView, row: Entry, { task, work, verdict }: ReviewOfWork): InboxItem[] {
  const { state } = view.ws
  const run = lastRun(task)
  if (hasFollowUp(state, view.row.lid, task.uid)) return []
  if (work !== null && (isDecided(task, work) || hasFollowUp(state, view.row.lid, work.uid, row.number))) return []
  const number = work === null ? undefined : entry(view, work.uid)?.number
  const point = typeof run?.summary === 'string' ? run.summary : null
  const about = number === undefined ? '' : `#${number}: `
  const what = verdict === 'NEEDS_DISCUSSION' ? WANTS_DECISION : 'the review asks for changes'
  const commands = [...(number === undefined ? [] : waysOut(number)), commandLine`show ${row.number} --text`]
  return [{ task: nameOf(view, row), code: verdict, detail: `${about}${point ?? what}`, commands }]
}

/** A person has given a verdict on that commit, or has landed it since, or somebody works on it again. */
function isDecided({ runs, closed_at }: Task, work: Task): boolean {
  if (!isFinished(work) || work.deleted) return true
  const given = personsVerdict(work)
  const head = runs.at(-1)?.head
  if (given !== null && given.head === head) return true
  // A review of landed work may end in the second of that landing.
  const isBefore = (commits: readonly unknown[]) => commits.includes(head)
  return work.landings.some(
    ({ outcome, at, commits = [] }) => outcome === 'landed' && at >= String(closed_at) && !isBefore(commits),
  )
}

/** The first task that the review names and that is not a review itself. */
function judgedTask(view: LedgerView, { depends_on, based_on, after }: Task): Task | null {
  const named = [...depends_on, ...based_on, ...after].map((ref) => taskOf(view.ws.state, view.row.lid, uidOf(ref)))
  return named.find((task) => task !== null && task.type !== 'review') ?? null
}
