/** Estimates how long tasks take: from earlier tasks, or from their size. */

import type { TaskSizeLimits } from '../config/settings.ts'
import { scoreTask } from '../size/complexity.ts'
import type { Task } from '../task/task.ts'
import { totalRuns } from './run-totals.ts'

export interface Duration {
  seconds: number
  basis: 'recorded' | 'estimated'
}

/** Medians of finished tasks, by `type agent` and by type alone. */
export type Recorded = ReadonlyMap<string, number>

/** All attempts at a task together, because that is how long it took until it was done. */
export function recordDurations(tasks: Iterable<Pick<Task, 'status' | 'type' | 'runs'>>): Recorded {
  const samples = new Map<string, number[]>()
  for (const { status, type, runs } of tasks) {
    const { seconds } = totalRuns(runs)
    if (status !== 'completed' || seconds === 0) continue
    for (const key of [type, keyOf(type, runs.at(-1)?.agent)]) samples.set(key, [...(samples.get(key) ?? []), seconds])
  }
  return new Map([...samples].map(([key, values]) => [key, median(values)]))
}

export function expectDuration(task: Task, agent: string, recorded: Recorded, limits: TaskSizeLimits): Duration {
  const known = recorded.get(keyOf(task.type, agent)) ?? recorded.get(task.type)
  if (known !== undefined) return { seconds: known, basis: 'recorded' }
  const size = task.estimated_complexity ?? SIZES[scoreTask(task, { limits }).level]
  return { seconds: SHARES[size] * limits.max_time_minutes * 60, basis: 'estimated' }
}

const SIZES = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high', CRITICAL: 'critical' } as const
/** Shares of the maximum time of a task: the limit is meant for a task of medium size. */
const SHARES = { low: 0.5, medium: 1, high: 2, critical: 3 }

function keyOf(type: string, agent: unknown): string {
  return `${type} ${agent}`
}

function median(values: number[]): number {
  values.sort((a, b) => a - b)
  const middle = values.length >> 1
  const upper = values[middle] ?? 0
  return values.length % 2 === 1 ? upper : (upper + (values[middle - 1] ?? 0)) / 2
}
