/** What a view shows of a task's past: edits, runs, landings and questions. */
import { compareText } from '../../core/ledger/canonical.ts'
import { lostEdits } from '../../core/ledger/join-tasks.ts'
import { type WrittenTask, withDefaults } from '../../core/ledger/written-task.ts'
import { phasesInTime, type ReviewView, viewReview } from '../../core/run/review-cycles.ts'
import { openQuestion } from '../../core/task/questions.ts'
import type { DerivedStatus, Edit, LandAttempt, Phase, Run, Task } from '../../core/task/task.ts'
import { viewLanding, viewPhase, viewRun } from './fact-views.ts'
import type { TaskView } from './views.ts'

export function reviewOf(task: WrittenTask, status: DerivedStatus): ReviewView {
  return viewReview(withDefaults(task), status === 'in_progress')
}

export function runsOf(runs: readonly Run[]): TaskView['runs'] {
  return runs.map(viewRun)
}

/** In the order of time, as landings are. */
export function phasesOf(phases: readonly Phase[]): TaskView['phases'] {
  return phasesInTime(phases).map(viewPhase)
}

export function landingsOf(landings: readonly LandAttempt[]): TaskView['landings'] {
  return landings.toSorted((a, b) => compareText(a.at, b.at) || (a.n ?? 0) - (b.n ?? 0)).map(viewLanding)
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
