/** Whether the holder of a lease is alive, as far as it can be seen from here. */
import { isSameProcess } from '../../platform/processes/process-identity.ts'
import { monotonicSeconds, type ProcessPlace, thisPlace } from '../../platform/processes/process-place.ts'
import type { Lease } from './live-tables.ts'

export type Sign = ProcessPlace & Pick<Lease, 'beat_at' | 'beat_clock'>

/** Where this process is, and when it was alive. */
export function signOfLife(now: string): Sign {
  return { ...thisPlace(), beat_at: now, beat_clock: monotonicSeconds() }
}

export function isHeld(lease: Lease, now: string): boolean {
  if (lease.released_at !== null) return false
  if (lease.expires_at !== null && lease.expires_at <= now) return false
  if (lease.pid === null) return lease.expires_at !== null
  return isHolderAlive(lease, now)
}

/** A process that may hold something, and where it is. */
export type Holder = Sign & Pick<Lease, 'pid' | 'start_time'>

/**
 * The process table answers for the processes of this place. A machine that has booted again since has none of them
 * left. Elsewhere, in a container or on another machine with the same repository, the last sign of life decides.
 */
export function isHolderAlive(lease: Holder, now: string): boolean {
  const here = thisPlace()
  if (isSamePlace(lease, here)) return isAlive(lease)
  const isSameMachine = lease.machine_id !== null && lease.machine_id === here.machine_id
  if (isSameMachine && lease.boot_id !== here.boot_id) return false
  return isBeating(lease, here, now)
}

/** Does a process of this place exist? */
export function isAlive({ pid, start_time }: Pick<Lease, 'pid' | 'start_time'>): boolean {
  return pid !== null && start_time !== null && isSameProcess(pid, start_time)
}

/** A gza that did not know places left them empty: its repository was used from one place only. */
export function isSamePlace(lease: ProcessPlace, here: ProcessPlace): boolean {
  if (lease.boot_id === null && lease.machine_id === null) return true
  return (
    lease.machine_id === here.machine_id && lease.boot_id === here.boot_id && lease.pid_namespace === here.pid_namespace
  )
}

const SILENT_SECONDS = 120

/** Within one boot the monotonic clock decides: after a suspended night, a sign of life is as old as it was before. */
function isBeating({ boot_id, beat_at, beat_clock }: Holder, here: ProcessPlace, now: string): boolean {
  const clock = boot_id !== null && boot_id === here.boot_id ? monotonicSeconds() : null
  if (clock !== null && beat_clock !== null) return clock - beat_clock < SILENT_SECONDS
  return beat_at !== null && Date.parse(now) - Date.parse(beat_at) < SILENT_SECONDS * 1000
}
