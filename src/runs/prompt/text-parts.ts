/** Texts of earlier tasks that a prompt contains whole: explorations, plans and the review to answer. */
import { basename } from 'node:path'
import type { PromptPart } from '../../core/documents/fit-prompt.ts'
import { compareText } from '../../core/ledger/canonical.ts'
import { personsReviews } from '../../core/review/persons-reviews.ts'
import { countedPhases, lastReview } from '../../core/run/review-cycles.ts'
import { type Phase, type Task, uidOf } from '../../core/task/task.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { othersOnBranch } from '../../workspace/ledger/finished-work.ts'
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
 * The reviews that an improve task answers: the newest of the review tasks that it names, otherwise its predecessor's
 * last review, and what people wrote about the same commit or a later one. Earlier ones were answered already.
 */
export function reviewParts(view: LedgerView, subject: Task): PromptPart[] {
  if (subject.type !== 'improve') return []
  const named = [...subject.based_on, ...subject.depends_on, ...subject.after].flatMap(
    (ref) => taskOf(view.ws.state, view.row.lid, uidOf(ref)) ?? [],
  )
  const work = named.find(({ type }) => type !== 'review')
  const last = lastGiven(view, named)
  const people = work === undefined ? [] : personsReviewParts(view, work, last)
  return last === null || people.some(({ isLater }) => isLater) ? people : [...last.parts, ...people]
}

interface GivenReview {
  at: string
  head: unknown
}

function lastGiven(view: LedgerView, named: readonly Task[]): (GivenReview & { parts: PromptPart[] }) | null {
  const reviews = named.filter(({ type }) => type === 'review')
  const newest = reviews.toSorted((a, b) => String(a.closed_at).localeCompare(String(b.closed_at))).at(-1)
  if (newest !== undefined) {
    const parts = textPart(view, newest, 'review')
    return { at: String(newest.closed_at), head: newest.runs.at(-1)?.head, parts }
  }
  const [before] = named
  const last = before && lastReview(countedPhases(before))
  return before && last ? { at: last.at, head: last.head, parts: [reviewPart(view, before, last)] } : null
}

/** A person's review, and whether it is about a later commit than the last review of an agent. */
interface PersonsPart extends PromptPart {
  isLater: boolean
}

/** All reviews that people gave of the commit that they judged last, unless an agent has judged a later one since. */
export function personsReviewParts(view: LedgerView, work: Task, last: GivenReview | null): PersonsPart[] {
  const works = [work, ...(work.branch === undefined ? [] : othersOnBranch(view, work, work.branch))]
  const given = works
    .flatMap((task) => personsReviews(task).map((review) => ({ task, ...review })))
    .sort((a, b) => compareText(a.at, b.at))
  const newest = given.at(-1)
  if (newest === undefined || (last !== null && last.head !== newest.head && last.at > newest.at)) return []
  return given
    .filter(({ head }) => head === newest.head)
    .map(({ task, name, by, head }) => ({
      ...{
        place: 'review',
        name: `review of task ${task.id} at ${head.slice(0, 12)}, by ${by}, a person`,
        form: 'data',
      },
      ...{ text: artifactText(view, task, name), isLater: last !== null && last.head !== head },
    }))
}

/** One review of a task's own review cycles. */
export function reviewPart(view: LedgerView, task: Task, { artifact, cycle, agent }: Phase): PromptPart {
  const text = artifactText(view, task, basename(String(artifact)))
  return { place: 'review', name: `review ${cycle} of task ${task.id}, by ${agent}`, text, form: 'data' }
}

function artifactText(view: LedgerView, task: Task, name: string): string {
  const [found] = artifactsOf(view.ws.state, view.row.lid, `artifacts/${task.uid}/${name}`)
  return found === undefined ? '' : (readText(view, found) ?? '')
}

function textPart(view: LedgerView, task: Task, place: 'plan' | 'review'): PromptPart[] {
  const found = textsOf(view, task).at(-1)
  if (found === undefined) return []
  const text = readText(view, found) ?? ''
  return [{ place, name: `${task.type} ${task.id} (${found.name})`, text, form: 'data' }]
}
