/** Slots and locks of this person, in all repositories and processes. */
import { isSameProcess } from '../../platform/processes/process-identity.ts'
import { thisPlace } from '../../platform/processes/process-place.ts'
import type { Hold } from '../../state/account/holds.ts'
import { thisWorker } from '../new-run.ts'

export function ownerNamed(holder: string): Omit<Hold, 'scope' | 'name'> {
  const { boot_id, pid_namespace } = thisPlace()
  return { holder, ...thisWorker(), boot_id, pid_namespace }
}

/** A pid means something only in its own namespace, so a hold from another container stays until the next boot. */
export function isHolderGone({ pid, start_time, boot_id, pid_namespace }: Hold): boolean {
  const here = thisPlace()
  if (boot_id !== here.boot_id) return true
  return pid_namespace === here.pid_namespace && !isSameProcess(pid, start_time ?? 'unknown')
}
