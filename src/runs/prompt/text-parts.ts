/** Texts of earlier tasks that a prompt contains whole: explorations, plans and the review to answer. */
import { basename } from 'node:path'
import type { PromptPart } from '../../core/documents/fit-prompt.ts'
import { countedPhases, lastReview } from '../../core/run/review-cycles.ts'
import { type Phase, type Task, uidOf } from '../../core/task/task.ts'
import { readBlobs } from '../../ledger/read-blobs.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readText, textsOf } from '../../workspace/texts/task-texts.ts'
import { ancestorsOf } from './dependency-parts.ts'

/** The explorations and plans before the task, the nearest first. */
export function planParts(view: LedgerView, subject: Task): PromptPart[] {
  return ancestorsOf(view, subject)
    .filter(({ type }) => type === 'plan' || type === 'explore')
    .flatMap((ancestor) => textPart(view, ancestor, 'plan'))
}

/**
 * The review that an improve task answers: the newest of the review tasks that it names, otherwise its predecessor's
 * last review. Earlier ones were answered already.
 */
export function lastReviewPart(view: LedgerView, subject: Task): PromptPart[] {
  if (subject.type !== 'improve') return []
  const named = [...subject.based_on, ...subject.depends_on, ...subject.after].flatMap(
    (ref) => taskOf(view.ws.state, view.row.lid, uidOf(ref)) ?? [],
  )
  const reviews = named.filter(({ type }) => type === 'review')
  const newest = reviews.toSorted((a, b) => String(a.closed_at).localeCompare(String(b.closed_at))).at(-1)
  if (newest !== undefined) return textPart(view, newest, 'review')
  const [before] = named
  const last = before && lastReview(countedPhases(before))
  return before && last ? [reviewPart(view, before, last)] : []
}

/** One review of a task's own review cycles. */
export function reviewPart(view: LedgerView, task: Task, { artifact, cycle, agent }: Phase): PromptPart {
  const [found] = artifactsOf(view.ws.state, view.row.lid, `artifacts/${task.uid}/${basename(String(artifact))}`)
  const text = found === undefined ? '' : (readBlobs(view.ws.repo, [found.blob]).get(found.blob)?.toString() ?? '')
  return { place: 'review', name: `review ${cycle} of task ${task.id}, by ${agent}`, text, form: 'data' }
}

function textPart(view: LedgerView, task: Task, place: 'plan' | 'review'): PromptPart[] {
  const found = textsOf(view, task).at(-1)
  if (found === undefined) return []
  const text = readText(view, found) ?? ''
  return [{ place, name: `${task.type} ${task.id} (${found.name})`, text, form: 'data' }]
}
