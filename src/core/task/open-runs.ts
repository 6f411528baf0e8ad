/** The runs of a task that have not ended, as the index keeps them: they show who may be working on it, and where. */
import type { Run, Task } from './task.ts'

export type OpenRun = Pick<Run, 'run' | 'machine' | 'clone' | 'started_at'>

/** Null: there are none. */
export function openRunsText({ runs }: Pick<Task, 'runs'>): string | null {
  const open = runs.filter(({ ended_at }) => ended_at === undefined)
  if (open.length === 0) return null
  return JSON.stringify(
    open.map(({ run, machine, clone, started_at }): OpenRun => ({ run, machine, clone, started_at })),
  )
}

export function readOpenRuns(text: string | null): OpenRun[] {
  return text === null ? [] : JSON.parse(text)
}
