import { putRow } from '../describe-table.ts'
import { isHeld, landingLease, leaseOf } from './leases.ts'
import { LANDING_CHECKS } from './live-tables.ts'
import type { Live } from './open-live.ts'

/** What a landing verifies at this moment. Tasks are uids. */
export interface LandingCheck {
  base: string
  run: string
  at: string
  /** None: the base itself. */
  verifying: string[]
  /** One of them turned the batch red; none: nothing was red so far. */
  suspects: string[]
}

export function keepLandingCheck(db: Live, { verifying, suspects, ...check }: LandingCheck): void {
  const lists = { verifying: JSON.stringify(verifying), suspects: JSON.stringify(suspects) }
  putRow(db, LANDING_CHECKS, { ...check, ...lists })
}

export function dropLandingCheck(db: Live, { base, run }: Pick<LandingCheck, 'base' | 'run'>): void {
  db.query('DELETE FROM landing_checks WHERE base = ? AND run = ?').run(base, run)
}

/** Null: nothing is verified. What a dead process has left does not count, because its lease is not held any more. */
export function landingCheckOf(db: Live, base: string, now: string): LandingCheck | null {
  const lease = leaseOf(db, landingLease(base))
  if (lease === null || lease.released_at !== null || !isHeld(lease, now)) return null
  const row = db.query('SELECT * FROM landing_checks WHERE base = ? AND run = ?').get(base, lease.run)
  if (row === null) return null
  const { verifying, suspects, ...check } = row as Record<keyof LandingCheck, string>
  return { ...check, verifying: JSON.parse(verifying), suspects: JSON.parse(suspects) }
}
