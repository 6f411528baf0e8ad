import { portRange } from '../../core/config/port-range.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'
import type { Env } from '../../platform/git/git.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { locksOf, releaseLocks, takeLocks } from './locks.ts'
import { takeSlotNumber } from './slot-number.ts'

/** What a run has for itself while it works beside others. */
export interface TakenSlot {
  env: Env
  /** Its agent and its checks have ended: another run may have the number and the ports. */
  releaseNumber(): void
  releaseAll(): void
}

/** Before the task itself is taken, so that a failure leaves nothing taken. Null: somebody else has one of its locks. */
export function takeSlot(ws: Workspace, config: Config, task: Task): TakenSlot | null {
  const locks = locksOf(config, task)
  if (!takeLocks(ws, locks, task.uid)) return null
  const slot = takeSlotNumber(ws.env, portRange(config.worktree.ports), task.uid)
  const attempt = (release: () => void) => {
    try {
      release()
    } catch {
      // The store cannot be written any more. What this process holds ends with it.
    }
  }
  const releaseNumber = () => attempt(slot.release)
  const releaseAll = () => {
    releaseNumber()
    attempt(() => releaseLocks(ws, locks, task.uid))
  }
  return { env: slot.env, releaseNumber, releaseAll }
}
