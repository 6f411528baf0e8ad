import { effective } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'

export type LandMethod = 'cherry-pick' | 'merge' | 'squash'

export interface LandOrder {
  branch: string
  tip: string
  method: LandMethod
  /** Tips whose work is in the base under other names. */
  landed: readonly string[]
  /** Branches that must land before it. */
  needs: readonly string[]
  title: string
  /** The tasks that it is the work of: the commit that lands it names them. */
  ids: readonly string[]
}

/** `land: branch` leaves it to a person, who merges. */
export function configuredMethod(config: Config, { type }: Task): LandMethod {
  const { land } = effective(config, type)
  return land === 'branch' ? 'merge' : land
}

/** The last lines of the message of a commit that stands for a whole task. */
export function trailersOf(ids: readonly string[]): string {
  return ids.map((id) => `Task: ${id}`).join('\n')
}
