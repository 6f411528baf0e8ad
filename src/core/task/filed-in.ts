/**
 * In which run of gza an agent filed a task. An older release keeps it as a field that it does not know, so this one
 * stores it in the same place (`extra`).
 */
import type { Task } from './task.ts'

export interface FiledIn {
  run: string
  /** The uid of the run's task; null if it is not known which of several runs it was. */
  task: string | null
  /** 1: by a run of a task that a person filed; 2: by a run of such a task; and so on. */
  depth: number
  /** Filed on hold, because the run had reached this limit. */
  held?: FilingLimit
}

export type FilingLimit = 'TOO_MANY_TASKS' | 'TASKS_TOO_DEEP'

/** What the agents of a run may file before a person has to look at it, and how deep the run's own task is. */
export interface FilingRules {
  max: number
  max_depth: number
  depth: number
}

const FIELD = 'filed_in'

export function filedIn({ extra }: Pick<Task, 'extra'>): FiledIn | null {
  const found = extra?.[FIELD]
  if (typeof found !== 'object' || found === null) return null
  const { run, task, depth, held } = found as Record<string, unknown>
  if (typeof run !== 'string') return null
  return {
    run,
    task: typeof task === 'string' ? task : null,
    depth: typeof depth === 'number' && depth > 0 ? depth : 1,
    ...((held === 'TOO_MANY_TASKS' || held === 'TASKS_TOO_DEEP') && { held }),
  }
}

export function withFiledIn(task: Task, filed: FiledIn): Task {
  return { ...task, extra: { ...task.extra, [FIELD]: filed } }
}

/** Filed on hold, and no person has decided about it since. */
export function heldFiling(task: Pick<Task, 'extra' | 'on_hold' | 'edits'>): FiledIn | null {
  const filed = filedIn(task)
  if (filed?.held === undefined || !task.on_hold) return null
  return task.edits.some(({ field }) => field === 'on_hold') ? null : filed
}

/** The next task of a run that has filed `count` of them. */
export function fileInRun(
  { run, task }: Pick<FiledIn, 'run' | 'task'>,
  count: number,
  { max, max_depth, depth }: FilingRules,
): FiledIn {
  const filed = { run, task, depth: depth + 1 }
  if (filed.depth > max_depth) return { ...filed, held: 'TASKS_TOO_DEEP' }
  return count < max ? filed : { ...filed, held: 'TOO_MANY_TASKS' }
}
