import type { TaskType } from './task.ts'

/** Folders below `.gza/` with the texts that tasks make, for people. The ledger has them too. */
export const OUTPUT_FOLDERS: Partial<Record<TaskType, string>> = {
  plan: 'plans',
  explore: 'explorations',
  review: 'reviews',
}
