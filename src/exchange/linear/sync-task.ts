import type { Priority } from '../../core/task/task.ts'
import type { LastStep, SyncStatus } from './decide-status.ts'

/** A task with everything that is sent to Linear. */
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
  /** Null: it is in none. `key` distinguishes it from the projects of all other repositories. */
  project: { key: string; name: string } | null
  milestone: { id: string; name: string; description: string; place: number } | null
  /** The issue that it already has: Linear's id, or what a person wrote there, such as ENG-12. */
  linearId: string | null
}

/** The state of a task and its issue when they last agreed. It can be lost: even then nothing is created twice. */
export interface Remembered extends LastStep {
  /** A digest of the fields that were last sent. */
  sent: string
}

export type SyncMemory = ReadonlyMap<string, Remembered>
