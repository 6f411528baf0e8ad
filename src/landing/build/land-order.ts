import { effective } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'

export type LandMethod = 'cherry-pick' | 'merge' | 'squash'

export interface LandOrder {
  branch: string
  /** What lands. */
  tip: string
  /** The tip of the branch, on which unfinished work of other tasks may follow. */
  branchTip: string
  method: LandMethod
  /** Tips whose work is in the base as other commits. */
  landed: readonly string[]
  /** Branches that must land before it. */
  needs: readonly string[]
  title: string
  /** The tasks of the branch. The commit that lands it names them. */
  ids: readonly string[]
}

/** `land: branch` leaves it to a person, who merges. */
export function configuredMethod(config: Config, { type }: Task): LandMethod {
  const { land } = effective(config, type)
  return land === 'branch' ? 'merge' : land
}

/** The trailers in the message of a commit that contains a whole task. */
export function trailersOf(ids: readonly string[]): string {
  return ids.map((id) => `Task: ${id}`).join('\n')
}
