import type { TaskType } from '../../core/task/task.ts'

/** Below `.gza/`: where people read the texts of tasks that make one. The ledger has them too. */
export const OUTPUT_FOLDERS: Partial<Record<TaskType, string>> = {
  plan: 'plans',
  explore: 'explorations',
  review: 'reviews',
}
