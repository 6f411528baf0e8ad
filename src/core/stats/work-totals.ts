import { amount, type RunTotals, totalRuns } from '../run/run-totals.ts'
import type { Run, Task } from '../task/task.ts'

/** The sums over some runs, and how well they went. */
export interface WorkTotals extends RunTotals {
  task_count: number
  /** How many of the runs are the first one of their task, and have ended. */
  first_attempts: number
  /** How many of those completed their task, and no other run followed. */
  first_try_completed: number
  /** How often the work was reviewed within these runs. */
  review_cycles: number
  /** The part of `seconds` in which checks ran. */
  verify_seconds: number
}

export interface TaskRun {
  task: Pick<Task, 'uid' | 'runs' | 'phases'>
  run: Run
}

export function totalWork(some: readonly TaskRun[]): WorkTotals {
  const runs = some.map(({ run }) => run)
  const firsts = some.filter(({ task, run }) => run.ended_at !== undefined && firstRun(task.runs) === run)
  return {
    task_count: new Set(some.map(({ task }) => task.uid)).size,
    ...totalRuns(runs),
    first_attempts: firsts.length,
    first_try_completed: firsts.filter(({ task, run }) => run.outcome === 'completed' && task.runs.length === 1).length,
    review_cycles: some.reduce((sum, { task, run }) => sum + reviewsIn(task, run), 0),
    verify_seconds: runs.reduce((sum, run) => sum + verifySecondsOf(run), 0),
  }
}

/** Runs of a joined ledger may be in any order. */
function firstRun(runs: readonly Run[]): Run | undefined {
  return runs.reduce<Run | undefined>(
    (first, run) => (first === undefined || run.started_at < first.started_at ? run : first),
    undefined,
  )
}

function reviewsIn({ phases }: Pick<Task, 'phases'>, { run }: Run): number {
  return phases.filter((phase) => phase.run === run && phase.phase === 'review').length
}

/** Never more than the run took, whatever another machine has written. */
export function verifySecondsOf(run: Run): number {
  return Math.min(amount(run.verify_seconds), totalRuns([run]).seconds)
}

/** `(unknown)` if another program wrote the run. */
export function agentOf(run: Run): string {
  return typeof run.agent === 'string' ? run.agent : '(unknown)'
}

/** Null: the client's own choice, or a run of an earlier release. */
export function modelOf(run: Run): string | null {
  return typeof run.model === 'string' ? run.model : null
}
