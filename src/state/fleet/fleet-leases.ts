/** Who writes facts and who offers tasks: rows with an end, by the server's clock. */
import type { FleetDatabase } from './connect-fleet.ts'

export type LeaseName = 'pen' | 'dispatcher'

/** An advisory lock of a stopped process was still held after 20 s, so it is a row that expires. */
const LEASE = "interval '6 seconds'"

/** Takes or renews it. False: another process has it. */
export async function holdFleetLease(
  db: FleetDatabase,
  { fleet, name, holder }: { fleet: string; name: LeaseName; holder: string },
): Promise<boolean> {
  const held = await db.rows(
    `INSERT INTO gza_fleet.leases AS l (fleet, name, holder, expires_at)
     VALUES ($1, $2, $3, clock_timestamp() + ${LEASE})
     ON CONFLICT (fleet, name) DO UPDATE SET holder = excluded.holder, expires_at = clock_timestamp() + ${LEASE}
     WHERE l.holder = excluded.holder OR l.expires_at < clock_timestamp()
     RETURNING holder`,
    [fleet, name, holder],
  )
  return held.length === 1
}

/** So that the next process need not wait for its end. */
export async function dropFleetLeases(db: FleetDatabase, fleet: string, holder: string): Promise<void> {
  await db.rows('DELETE FROM gza_fleet.leases WHERE fleet = $1 AND holder = $2', [fleet, holder])
}

/** After so long without a sign, the database was away, and all claims look lapsed although their holders live. */
const AWAY = "interval '4 seconds'"
const REOPEN = "interval '5 seconds'"

/**
 * Whether lapsed claims may be taken away now. Called by all machines several times a second; at most one call in a second
 * is answered with true. After an outage of the database the holders get some time to report first.
 */
export async function mayTakeLapsed(db: FleetDatabase, fleet: string): Promise<boolean> {
  const open = await db.rows<{ is_open: boolean }>(
    `INSERT INTO gza_fleet.pulse AS p (fleet, seen, open_at) VALUES ($1, clock_timestamp(), clock_timestamp() + ${REOPEN})
     ON CONFLICT (fleet) DO UPDATE SET seen = clock_timestamp(),
       open_at = CASE WHEN clock_timestamp() - p.seen > ${AWAY} THEN clock_timestamp() + ${REOPEN} ELSE p.open_at END
     WHERE clock_timestamp() - p.seen > interval '900 milliseconds'
     RETURNING open_at <= clock_timestamp() AS is_open`,
    [fleet],
  )
  return open[0]?.is_open === true
}

/** People stop and start all work of the fleet. */
export async function setPaused(db: FleetDatabase, fleet: string, isPaused: boolean): Promise<void> {
  await db.rows(
    `INSERT INTO gza_fleet.pulse (fleet, seen, open_at, is_paused) VALUES ($1, clock_timestamp(), clock_timestamp(), $2)
     ON CONFLICT (fleet) DO UPDATE SET is_paused = excluded.is_paused`,
    [fleet, isPaused],
  )
}

export async function isPaused(db: FleetDatabase, fleet: string): Promise<boolean> {
  const [row] = await db.rows<{ is_paused: boolean }>('SELECT is_paused FROM gza_fleet.pulse WHERE fleet = $1', [fleet])
  return row?.is_paused === true
}
