/** What a view shows of a task's past: edits, runs, landings and questions. */
import { compareText } from '../../core/ledger/canonical.ts'
import { lostEdits } from '../../core/ledger/join-tasks.ts'
import { type WrittenTask, withDefaults } from '../../core/ledger/written-task.ts'
import { type ReviewView, viewReview } from '../../core/run/review-cycles.ts'
import { openQuestion } from '../../core/task/questions.ts'
import type { DerivedStatus, Edit, LandAttempt, Task } from '../../core/task/task.ts'
import type { TaskView } from './views.ts'

export { phasesInTime } from '../../core/run/review-cycles.ts'

export function reviewOf(task: WrittenTask, status: DerivedStatus): ReviewView {
  return viewReview(withDefaults(task), status === 'in_progress')
}

export function landingsInTime(landings: LandAttempt[]): LandAttempt[] {
  return landings.toSorted((a, b) => compareText(a.at, b.at) || (a.n ?? 0) - (b.n ?? 0))
}

export function assignmentsIn(edits: readonly Edit[]): TaskView['assignments'] {
  const made = edits.filter(({ field }) => field === 'assigned_agent')
  return made.map(({ at, by, value }) => ({ at, by, agent: value as string | null }))
}

export function questionOf(task: WrittenTask): TaskView['question'] {
  // In a line, what this release knows as facts of their own are ordinary fields.
  const extra = (task as Partial<Task>).extra ?? (task as unknown as Record<string, unknown>)
  const asked = openQuestion({ notes: task.notes, status: task.status, extra })
  return asked && { at: asked.at, by: asked.by, text: asked.text }
}

/** Edits that lost against another one of the same time. */
export function lostEditTexts(edits: readonly Edit[]): string[] {
  return lostEdits(edits).map(
    (edit) => `${edit.field} edited by ${edit.by} at the same time, not used: ${valueText(edit.value)}`,
  )
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
