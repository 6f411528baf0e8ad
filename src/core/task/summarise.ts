import { type Milestone, type MilestoneNames, milestonesOf } from '../graph/milestones-of-tasks.ts'
import { percent } from '../text/percent.ts'
import { countedTasks } from './counted-tasks.ts'
import { isFinished, isUnstarted } from './status-predicates.ts'
import type { DerivedStatus } from './task.ts'

/**
 * The progress of the work; the names of the fields are public. A task is named by its key if it has one. A task with
 * parts is not counted, only its parts are.
 */
export interface Summary {
  total: number
  /** Includes blocked tasks. */
  pending: string[]
  in_progress: string[]
  /** Includes skipped tasks. */
  completed: string[]
  failed: string[]
  blocked: string[]
  skipped: string[]
  current_task_id: string | null
  current_task_ids: string[]
  in_flight_task_ids: string[]
  completed_task_ids: string[]
  failed_task_ids: string[]
  /** Completed without any check. */
  unverified: string[]
  progress: string
  tasks: { total: number; completed: number; pending: number; in_progress: number; failed: number; progress: string }
  milestones: Milestone[]
}

export interface SummarisedTask {
  id: string
  key: string | null
  /** The id of its parent task. */
  parent: string | null
  milestone_id: string | null
  status: DerivedStatus
  isUnverified?: boolean
}

export function summarise(all: readonly SummarisedTask[], names: MilestoneNames = new Map()): Summary {
  const named = all.map((task) => ({ ...task, uid: task.id, id: idOf(task) }))
  const tasks = countedTasks(named)
  const having = (wanted: DerivedStatus) => idsWith(tasks, ({ status }) => status === wanted)
  const pending = idsWith(tasks, isUnstarted)
  const running = having('in_progress')
  const completed = idsWith(tasks, isFinished)
  const failed = having('failed')
  const progress = percent(completed.length, tasks.length)
  return {
    total: tasks.length,
    pending,
    in_progress: running,
    completed,
    failed,
    blocked: having('blocked'),
    skipped: having('skipped'),
    current_task_id: running[0] ?? null,
    current_task_ids: running,
    in_flight_task_ids: running,
    // All tasks, including those with parts: a dependency may name the whole task.
    completed_task_ids: idsWith(named, isFinished),
    failed_task_ids: failed,
    unverified: idsWith(tasks, (task) => task.status === 'completed' && task.isUnverified === true),
    progress,
    tasks: {
      total: tasks.length,
      completed: completed.length,
      pending: pending.length,
      in_progress: running.length,
      failed: failed.length,
      progress,
    },
    milestones: milestonesOf(named, names),
  }
}

function idsWith<T extends Pick<SummarisedTask, 'id' | 'status'>>(
  tasks: readonly T[],
  is: (task: T) => boolean,
): string[] {
  return tasks.filter(is).map(({ id }) => id)
}

function idOf({ key, id }: Pick<SummarisedTask, 'key' | 'id'>): string {
  return key ?? id
}
