/**
 * Reviews that people gave. Each is a verdict on one commit, a text in the ledger, a note about it, and a field of the
 * task that names the text. Undoing the change strikes the note, which takes the review back; its text stays.
 */
import { compareText } from '../ledger/canonical.ts'
import { isTakenBack, reviewNote } from '../run/text-names.ts'
import { type Authorship, addNote, addVerdict } from '../task/operations.ts'
import type { Edit, Task, Verdict } from '../task/task.ts'

/** What a person can say about a commit. */
export const PERSONS_VERDICTS = ['APPROVED', 'CHANGES_REQUESTED'] as const
export type ReviewedAs = (typeof PERSONS_VERDICTS)[number]

export interface PersonsReview extends Authorship {
  /** The name of its text. */
  name: string
  /** The commit that was judged. */
  head: string
  verdict: Verdict
}

const FIELD = 'review:'

export function addReview(task: Task, review: PersonsReview, random: string): Task {
  const { name, head, verdict, at, by } = review
  const judged = addVerdict(task, verdict, { at, by, head })
  const noted = addNote(judged, reviewNote(head, name), { at, by }, random)
  return { ...noted, extra: { ...noted.extra, [`${FIELD}${name}`]: { at, by, head, verdict } } }
}

/**
 * Oldest first, without those that were taken back. Only people can give the verdict that belongs to it, so a field
 * without that verdict is not a review.
 */
export function personsReviews({ extra = {}, edits, notes }: Pick<Task, 'extra' | 'edits' | 'notes'>): PersonsReview[] {
  const named = Object.entries(extra).filter(([field]) => field.startsWith(FIELD))
  const found = named.flatMap(([field, fact]) => {
    const edit = edits.find((candidate) => isSaidIn(candidate, fact))
    const name = field.slice(FIELD.length)
    if (edit?.head === undefined || isTakenBack(notes, name)) return []
    return [{ name, at: edit.at, by: edit.by, head: edit.head, verdict: edit.value as Verdict, n: edit.n }]
  })
  return found.sort((a, b) => a.n - b.n || compareText(a.name, b.name)).map(({ n: _n, ...review }) => review)
}

function isSaidIn({ field, at, by, head, value }: Edit, fact: unknown): boolean {
  if (field !== 'final_verdict' || typeof fact !== 'object' || fact === null) return false
  const said = fact as Record<string, unknown>
  return said.at === at && said.by === by && said.head === head && said.verdict === value
}

/** The names of their texts, also of those that were taken back. */
export function reviewNames({ extra = {} }: Pick<Task, 'extra'>): string[] {
  return Object.keys(extra).flatMap((field) => (field.startsWith(FIELD) ? [field.slice(FIELD.length)] : []))
}
