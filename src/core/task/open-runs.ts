/** The runs of a task that have not ended, as the index keeps them: they show who may be working on it, and where. */
import type { Run, Task } from './task.ts'

export type OpenRun = Pick<Run, 'run' | 'machine' | 'clone' | 'started_at' | 'claimed' | 'until'>

/** Null: there are none. */
export function openRunsText({ runs }: Pick<Task, 'runs'>): string | null {
  const open = runs.filter(isOpenRun)
  if (open.length === 0) return null
  return JSON.stringify(open.map(openRun))
}

export function isOpenRun({ ended_at }: Pick<Run, 'ended_at'>): boolean {
  return ended_at === undefined
}

function openRun({ run, machine, clone, started_at, claimed, until }: Run): OpenRun {
  return { run, machine, clone, started_at, claimed, until }
}

export function readOpenRuns(text: string | null): OpenRun[] {
  return text === null ? [] : JSON.parse(text)
}
