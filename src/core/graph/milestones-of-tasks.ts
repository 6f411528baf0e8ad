import { type Counted, countedTasks } from '../task/counted-tasks.ts'
import { isFinished } from '../task/status-predicates.ts'
import type { DerivedStatus } from '../task/task.ts'
import { compareMilestones } from './ready-order.ts'

/** A milestone. Tasks name it; everything else about it comes from a plan. */
export interface Milestone {
  id: string
  name: string
  description: string
  task_ids: string[]
  status: 'completed' | 'failed' | 'in_progress' | 'pending'
}

interface Member extends Counted {
  id: string
  milestone_id: string | null
}

/** By the id of the milestone. */
export type MilestoneNames = ReadonlyMap<string, { name?: string; description?: string }>

/** The milestones that tasks belong to, in the order of work. */
export function milestonesOf(tasks: readonly Member[], names: MilestoneNames = new Map()): Milestone[] {
  const members = Map.groupBy(
    tasks.filter(({ milestone_id }) => milestone_id),
    ({ milestone_id }) => milestone_id ?? '',
  )
  return [...members]
    .sort(([a], [b]) => compareMilestones(a, b))
    .map(([id, all]) => {
      const own = countedTasks(all)
      return {
        id,
        name: names.get(id)?.name ?? id,
        description: names.get(id)?.description ?? '',
        task_ids: own.map((task) => task.id),
        status: milestoneStatus(own.map(({ status }) => status)),
      }
    })
}

/**
 * Completed if all tasks are; otherwise failed if any is; otherwise in progress if any is or some are completed;
 * otherwise pending.
 */
export function milestoneStatus(statuses: readonly DerivedStatus[]): Milestone['status'] {
  if (statuses.every((status) => isFinished({ status }))) return 'completed'
  if (statuses.includes('failed')) return 'failed'
  return statuses.some((status) => status === 'in_progress' || isFinished({ status })) ? 'in_progress' : 'pending'
}
