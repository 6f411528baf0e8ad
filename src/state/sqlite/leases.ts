import { isSameProcess } from '../../platform/process-identity.ts'
import type { State } from './open-state.ts'

/** The right of one process to work on a task. It dies with the process: pid and start time name it for good. */
export interface Lease {
  uid: string
  run: string
  token: number
  machine: string
  pid: number
  start_time: string
  head: string | null
  taken_at: string
}

export function takeLease(db: State, lease: Lease): void {
  db.query('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
    lease.uid,
    lease.run,
    lease.token,
    lease.machine,
    lease.pid,
    lease.start_time,
    lease.head,
    lease.taken_at,
  )
}

export function leaseOf(db: State, uid: string): Lease | null {
  return db.query('SELECT * FROM leases WHERE uid = ?').get(uid) as Lease | null
}

/** The leases whose holders are still there. */
export function liveLeases(db: State): Lease[] {
  const leases = db.query('SELECT * FROM leases').all() as Lease[]
  return leases.filter((lease) => isSameProcess(lease.pid, lease.start_time))
}
