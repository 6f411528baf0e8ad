/**
 * The right to work on a task. A lease of a process of this machine lives as long as the process, named by pid and
 * start time; one of an agent that gza did not start lives until it expires. Each new lease has a higher token, and who
 * comes with an older one is refused: a holder that was taken over cannot close the task.
 */
import { isSameProcess } from '../../platform/processes/process-identity.ts'
import { inLock } from '../index/open-state.ts'
import type { Live } from './open-live.ts'

export interface Lease {
  uid: string
  ledger: string
  run: string
  token: number
  holder: string
  machine: string
  pid: number | null
  start_time: string | null
  expires_at: string | null
  /** HEAD when the task was taken: commits after it are the task's work. */
  head: string | null
  branch: string | null
  path: string | null
  taken_at: string
  released_at: string | null
}

export type NewLease = Omit<Lease, 'token' | 'released_at'>

export interface TakenLease {
  lease: Lease
  /** The lease it took the place of, where that was never given back: what is left of its run is the taker's to end. */
  from: Lease | null
}

/**
 * Takes the lease if nobody holds it, nor another task's at the same path: with `takeOver` also from a holder of this task
 * that is still there.
 */
export function takeLease(db: Live, wanted: NewLease, options: { now: string; takeOver?: boolean }): TakenLease | null {
  return inLock(db, () => {
    const last = leaseOf(db, wanted.uid)
    if (last && isHeld(last, options.now) && !options.takeOver) return null
    if (isPlaceHeld(db, wanted, options.now)) return null
    const lease: Lease = { ...wanted, token: (last?.token ?? 0) + 1, released_at: null }
    writeLease(db, lease)
    return { lease, from: last?.released_at === null ? last : null }
  })
}

/** Makes a dead worker's lease this process's own, to end its run. Null: another one was faster. */
export function adoptLease(
  db: Live,
  dead: Lease,
  worker: Pick<Lease, 'pid' | 'start_time'>,
  now: string,
): Lease | null {
  return inLock(db, () => {
    const last = leaseOf(db, dead.uid)
    if (last === null || last.token !== dead.token || last.released_at !== null || isHeld(last, now)) return null
    const lease: Lease = { ...last, ...worker, token: last.token + 1 }
    writeLease(db, lease)
    return lease
  })
}

/** Tasks that go on on one branch have one work tree: one at a time works there. */
export function isPlaceHeld(db: Live, { uid, path }: Pick<Lease, 'uid' | 'path'>, now: string): boolean {
  if (path === null) return false
  const others = db.query('SELECT * FROM leases WHERE path = ? AND uid <> ? AND released_at IS NULL').all(path, uid)
  return (others as Lease[]).some((lease) => isHeld(lease, now))
}

/** A run of another task has the name for its branch, which it may not have made yet. */
export function isBranchLeased(db: Live, { uid, branch }: { uid: string; branch: string }): boolean {
  const others = 'SELECT 1 FROM leases WHERE branch = ? AND uid <> ? AND released_at IS NULL'
  return db.query(others).get(branch, uid) !== null
}

export function leaseOf(db: Live, uid: string): Lease | null {
  return db.query('SELECT * FROM leases WHERE uid = ?').get(uid) as Lease | null
}

/** Is this still the newest lease of its task? */
export function holdsLease(db: Live, uid: string, token: number): boolean {
  const lease = leaseOf(db, uid)
  return lease !== null && lease.token === token && lease.released_at === null
}

export function releaseLease(db: Live, uid: string, token: number, now: string): boolean {
  const released = db.query('UPDATE leases SET released_at = ? WHERE uid = ? AND token = ? AND released_at IS NULL')
  return released.run(now, uid, token).changes === 1
}

/** Takes the lease from its holder without taking the task up: whoever comes with the old run is refused from here on. */
export function fenceLease(db: Live, { uid, token }: Lease, by: Pick<Lease, 'run' | 'holder'>, now: string): boolean {
  const fenced = db.query(
    `UPDATE leases SET token = token + 1, run = ?, holder = ?, pid = NULL, start_time = NULL, released_at = ?
      WHERE uid = ? AND token = ? AND released_at IS NULL`,
  )
  return fenced.run(by.run, by.holder, now, uid, token).changes === 1
}

export function renewLease(db: Live, uid: string, token: number, expiresAt: string): boolean {
  return (
    db.query('UPDATE leases SET expires_at = ? WHERE uid = ? AND token = ?').run(expiresAt, uid, token).changes === 1
  )
}

/** From here on a claim outlives the process that made it, and lives until it expires. */
export function settleClaim(db: Live, uid: string, token: number): void {
  db.query('UPDATE leases SET pid = NULL, start_time = NULL WHERE uid = ? AND token = ?').run(uid, token)
}

/** The leases whose holders are there, and those that a dead process left behind. */
export function leasesByLife(db: Live, now: string): { held: Lease[]; abandoned: Lease[] } {
  const open = db.query('SELECT * FROM leases WHERE released_at IS NULL ORDER BY taken_at').all() as Lease[]
  return { held: open.filter((lease) => isHeld(lease, now)), abandoned: open.filter((lease) => !isHeld(lease, now)) }
}

export function isHeld(lease: Lease, now: string): boolean {
  if (lease.released_at !== null) return false
  if (lease.expires_at !== null && lease.expires_at <= now) return false
  if (lease.pid === null) return lease.expires_at !== null
  return lease.start_time !== null && isSameProcess(lease.pid, lease.start_time)
}

function writeLease(db: Live, lease: Lease): void {
  const {
    uid,
    ledger,
    run,
    token,
    holder,
    machine,
    pid,
    start_time,
    expires_at,
    head,
    branch,
    path,
    taken_at,
    released_at,
  } = lease
  db.query(`INSERT OR REPLACE INTO leases VALUES (${'?, '.repeat(13)}?)`).run(
    ...[
      uid,
      ledger,
      run,
      token,
      holder,
      machine,
      pid,
      start_time,
      expires_at,
      head,
      branch,
      path,
      taken_at,
      released_at,
    ],
  )
}
