import type { TaskSizeLimits } from '../config/settings.ts'
import type { Sized } from './complexity.ts'

/** Where a task exceeds the soft limits: advice, never a refusal. */
export function sizeWarnings(task: Sized, limits: TaskSizeLimits): string[] {
  const { files_to_create = [], files_to_modify = [], acceptance_criteria = [] } = task
  return [
    ...warn(files_to_create.length, limits.max_files_to_create, 'files to create'),
    ...warn(files_to_modify.length, limits.max_files_to_modify, 'files to modify'),
    ...warn(acceptance_criteria.length, limits.max_criteria_per_task, 'acceptance criteria'),
    ...warn([...(task.title ?? '')].length, LONGEST_TITLE, 'characters in its title'),
  ]
}

const LONGEST_TITLE = 80

function warn(count: number, most: number, what: string): string[] {
  return count <= most ? [] : [`${count} ${what}; ${most} is the recommended limit`]
}
