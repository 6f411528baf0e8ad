import type { DerivedStatus, Verdict } from '../task/task.ts'

/** What a person can do about a task, beside editing it. The last five are decisions of `resolve`. */
export type TaskAction =
  | ('start' | 'stop' | 'retry' | 'review' | 'improve' | 'land' | 'reopen' | 'assign')
  | ('fixed' | 'skip' | 'reset' | 'abort' | 'resume')

/** The facts that decide it. */
export interface ActionFacts {
  status: DerivedStatus
  on_hold: boolean
  asks: boolean
  final_verdict: Verdict | null
  branch: string | null
  closed_commit: string | null
  has_review: boolean
  /** It is in the landing queue. */
  is_queued: boolean
}

/** In the order in which a person would think of them. Whether one of them is refused, only its use case knows. */
export function possibleActions(task: ActionFacts): TaskAction[] {
  const hold = task.on_hold ? 'resume' : 'abort'
  switch (task.status) {
    case 'pending':
      return [...(task.on_hold || task.asks ? [] : (['start'] as const)), 'assign', 'fixed', 'skip', hold]
    case 'blocked':
      return ['assign', 'fixed', 'skip', hold]
    case 'in_progress':
      return ['stop', 'assign']
    case 'failed':
      return ['retry', 'assign', 'fixed', 'skip', 'reset', hold]
    case 'completed':
      return finishedActions(task)
    case 'skipped':
      return ['reopen']
    default:
      return task.status satisfies never
  }
}

function finishedActions({ branch, closed_commit, has_review, is_queued, final_verdict }: ActionFacts): TaskAction[] {
  const hasWork = branch !== null || closed_commit !== null
  return [
    ...(is_queued ? (['land'] as const) : []),
    ...(is_queued && final_verdict === 'MAX_CYCLES_REACHED' ? (['retry'] as const) : []),
    ...(hasWork ? (['review'] as const) : []),
    ...(hasWork && has_review ? (['improve'] as const) : []),
    'reopen',
  ]
}
