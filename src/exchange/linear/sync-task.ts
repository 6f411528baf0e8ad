import type { Priority } from '../../core/task/task.ts'
import type { LastStep, SyncStatus } from './decide-status.ts'

/** A task with all that Linear gets to know of it. */
export interface SyncTask {
  uid: string
  id: string
  number: number
  title: string
  description: string
  status: SyncStatus
  priority: Priority
  estimate: 'low' | 'medium' | 'high' | null
  labels: string[]
  /** Uids, like the dependencies. */
  parent: string | null
  dependencies: string[]
  /** Null: it is in none. `key` tells it from those of all other repositories. */
  project: { key: string; name: string } | null
  milestone: { id: string; name: string; description: string; place: number } | null
  /** The issue that it has already: Linear's id, or what a person wrote there, such as ENG-12. */
  linearId: string | null
}

/** What a task and its issue were when they were last in step. It can be lost: nothing is made twice without it. */
export interface Remembered extends LastStep {
  /** Over the fields that were last sent. */
  sent: string
}

export type SyncMemory = ReadonlyMap<string, Remembered>
