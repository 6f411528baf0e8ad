import type { Config } from '../../core/config/settings.ts'
import type { WorkOptions } from '../work-on-tasks.ts'

/** How many tasks are worked on: those named or counted, all of them, else the next one. */
export function taskLimit({ count, all, refs }: WorkOptions): number {
  return count ?? (all || refs.length > 0 ? Number.POSITIVE_INFINITY : 1)
}

/** How many at once. */
export function slotsOf({ workers }: WorkOptions, config: Config): number {
  return Math.max(1, workers ?? config.parallel_workers)
}
