import { amount } from '../run/run-totals.ts'
import type { LandAttempt, Run, Task } from '../task/task.ts'

/** A time in which nobody worked on a task. It counts on the day on which it ended. */
export interface Wait {
  kind: 'start' | 'retry' | 'land'
  seconds: number
  until: string
}

type Waiting = Pick<Task, 'created_at' | 'runs' | 'landings'>

/** From when a task was filed to its first run, between its runs, and from its last run until it landed. */
export function waitsOf({ created_at, runs, landings }: Waiting): Wait[] {
  const inOrder = runs.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
  const before = inOrder.map((run, at) => waitBefore(run, inOrder[at - 1], created_at))
  const landed = firstLanding(landings)
  const last = landed && inOrder.findLast(({ ended_at }) => ended_at !== undefined && ended_at <= landed.at)
  return [...before, ...(landed && last ? [wait('land', last.ended_at, landed.at)] : [])]
}

function waitBefore({ started_at }: Run, earlier: Run | undefined, createdAt: string): Wait {
  return earlier === undefined ? wait('start', createdAt, started_at) : wait('retry', earlier.ended_at, started_at)
}

function wait(kind: Wait['kind'], from: string | undefined, until: string): Wait {
  return { kind, seconds: from === undefined ? 0 : amount((Date.parse(until) - Date.parse(from)) / 1000), until }
}

/** When the work of a task came into its base for the first time. */
export function firstLanding(landings: readonly LandAttempt[]): LandAttempt | null {
  const landed = landings.filter(({ outcome }) => outcome === 'landed').toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return landed[0] ?? null
}
