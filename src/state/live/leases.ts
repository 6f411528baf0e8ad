/**
 * The right to work on a task. A lease of a process lasts as long as the process (lease-life.ts). A lease of an agent that
 * gza did not start lasts until it expires. Each new lease has a higher token, and a holder with an older one is refused:
 * once another has taken the task over, the first holder cannot close it. Leases of other clones, which a copied
 * repository has, do not count here: the ledger shows what those clones run.
 */
import { putRow } from '../describe-table.ts'
import { inLock } from '../write-lock.ts'
import { isHeld, type Sign, signOfLife } from './lease-life.ts'
import { isOwnLease, ownClone } from './live-clone.ts'
import { LEASES, type Lease } from './live-tables.ts'
import type { Live } from './open-live.ts'

export { isHeld } from './lease-life.ts'
export type { Lease } from './live-tables.ts'

export type NewLease = Omit<Lease, 'token' | 'released_at' | 'clone' | 'connection' | keyof Sign> & {
  connection?: string | undefined
}

export interface TakenLease {
  lease: Lease
  /** The lease that it replaced, if that was never released: the new holder ends what is left of its run. */
  from: Lease | null
}

/**
 * Takes the lease if nobody holds it, and nobody holds another task's lease at the same path. With `takeOver` it also takes
 * it from a holder of this task that is still alive.
 */
export function takeLease(db: Live, wanted: NewLease, options: { now: string; takeOver?: boolean }): TakenLease | null {
  return inLock(db, () => {
    const last = lastLease(db, wanted.uid)
    const own = last !== null && isOwnLease(db, last) ? last : null
    if (own !== null && isHeld(own, options.now) && !options.takeOver) return null
    if (isPlaceHeld(db, wanted, options.now)) return null
    const holder = { clone: ownClone(db), ...signOfLife(options.now) }
    const { connection = null } = wanted
    const lease: Lease = { ...wanted, ...holder, connection, token: (last?.token ?? 0) + 1, released_at: null }
    putRow(db, LEASES, lease)
    return { lease, from: own?.released_at === null ? own : null }
  })
}

/** Takes a dead worker's lease for this process, to end its run. Null: another process was faster. */
export function adoptLease(
  db: Live,
  dead: Lease,
  worker: Pick<Lease, 'pid' | 'start_time'>,
  now: string,
): Lease | null {
  return inLock(db, () => {
    const last = leaseOf(db, dead.uid)
    if (last === null || last.token !== dead.token || last.released_at !== null || isHeld(last, now)) return null
    const lease: Lease = { ...last, ...worker, clone: ownClone(db), ...signOfLife(now), token: last.token + 1 }
    putRow(db, LEASES, lease)
    return lease
  })
}

/** Tasks that continue on one branch share one worktree: only one of them runs at a time. */
export function isPlaceHeld(db: Live, { uid, path }: Pick<Lease, 'uid' | 'path'>, now: string): boolean {
  if (path === null) return false
  const others = db.query('SELECT * FROM leases WHERE path = ? AND uid <> ? AND released_at IS NULL').all(path, uid)
  return (others as Lease[]).some((lease) => isOwnLease(db, lease) && isHeld(lease, now))
}

/** Does a run of another task have this name for its branch? The branch may not exist yet. */
export function isBranchLeased(db: Live, { uid, branch }: { uid: string; branch: string }): boolean {
  const others = 'SELECT 1 FROM leases WHERE branch = ? AND uid <> ? AND released_at IS NULL'
  return db.query(others).get(branch, uid) !== null
}

/** The newest lease of the task in this clone. */
export function leaseOf(db: Live, uid: string): Lease | null {
  const last = lastLease(db, uid)
  return last !== null && isOwnLease(db, last) ? last : null
}

function lastLease(db: Live, uid: string): Lease | null {
  return db.query('SELECT * FROM leases WHERE uid = ?').get(uid) as Lease | null
}

/** Shows that the process is alive to those who cannot see it: containers and machines with the same repository. */
export function showLife(db: Live, { pid, start_time }: Pick<Lease, 'pid' | 'start_time'>, now: string): void {
  const { machine_id, boot_id, pid_namespace, beat_at, beat_clock } = signOfLife(now)
  db.query(
    `UPDATE leases SET beat_at = ?, beat_clock = ? WHERE released_at IS NULL AND pid = ? AND start_time IS ?
      AND machine_id IS ? AND boot_id IS ? AND pid_namespace IS ?`,
  ).run(beat_at, beat_clock, pid, start_time, machine_id, boot_id, pid_namespace)
}

/** Has another run of the task the workplace of this one now? */
export function hasLostPlace(db: Live, { run, uid, path }: Pick<Lease, 'run' | 'uid' | 'path'>): boolean {
  const lease = leaseOf(db, uid)
  if (lease === null || lease.run === run || lease.released_at !== null) return false
  return path !== null && lease.path === path
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

/** Takes the lease from its holder without starting the task: from now on the old run is refused. */
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

/** From now on the claim outlives the process that made it, and lasts until it expires. */
export function settleClaim(db: Live, uid: string, token: number): void {
  db.query('UPDATE leases SET pid = NULL, start_time = NULL WHERE uid = ? AND token = ?').run(uid, token)
}

/** The name of the lease under which one process lands on a base. */
export function landingLease(base: string): string {
  return `${LANDING}${base}`
}

/** The bases on which a landing has begun and not ended, also one whose process has died. */
export function basesInLanding(db: Live): string[] {
  const open = db.query('SELECT * FROM leases WHERE released_at IS NULL').all() as Lease[]
  return open.flatMap(({ uid }) => (uid.startsWith(LANDING) ? [uid.slice(LANDING.length)] : []))
}

/** What the name of a landing begins with; the base follows. */
export const LANDING = 'land:'

/** The leases of this clone whose holders are alive, and those that a dead process left behind. */
export function leasesByLife(db: Live, now: string): { held: Lease[]; abandoned: Lease[] } {
  const open = db.query('SELECT * FROM leases WHERE released_at IS NULL ORDER BY taken_at').all() as Lease[]
  const own = open.filter((lease) => isOwnLease(db, lease))
  const { held = [], abandoned = [] } = Object.groupBy(own, (lease) => (isHeld(lease, now) ? 'held' : 'abandoned'))
  return { held, abandoned }
}
