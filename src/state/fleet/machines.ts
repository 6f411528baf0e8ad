/** The machines of a fleet, and what runs on each of them now: a mirror, for people and for the dispatcher. */
import type { FleetDatabase } from './connect-fleet.ts'

export interface Machine {
  id: string
  host: string
  version: string
  slots: number
  busy: number
  draining: boolean
  /** It has shown a sign of life within the last seconds. */
  is_alive: boolean
  seen: Date
}

export interface FleetRun {
  uid: string
  machine: string
  run: string | null
  claim: number
  started_at: Date
}

const ALIVE = "interval '10 seconds'"

/** A sign of life. Returns whether somebody has asked the machine to drain; null: it is not known. */
export async function showMachine(
  db: FleetDatabase,
  fleet: string,
  { id, busy }: Pick<Machine, 'id' | 'busy'>,
): Promise<{ draining: boolean } | null> {
  const [row] = await db.rows<{ draining: boolean }>(
    `UPDATE gza_fleet.machines SET seen = clock_timestamp(), busy = $3 WHERE fleet = $1 AND id = $2 RETURNING draining`,
    [fleet, id, busy],
  )
  return row ?? null
}

export async function addMachine(
  db: FleetDatabase,
  fleet: string,
  { id, host, version, slots }: Pick<Machine, 'id' | 'host' | 'version' | 'slots'>,
): Promise<void> {
  await db.rows(
    `INSERT INTO gza_fleet.machines (fleet, id, host, version, slots) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (fleet, id) DO UPDATE SET host = excluded.host, version = excluded.version, slots = excluded.slots,
       busy = 0, draining = false, seen = clock_timestamp()`,
    [fleet, id, host, version, slots],
  )
}

export async function removeMachine(db: FleetDatabase, fleet: string, id: string): Promise<void> {
  await db.rows('DELETE FROM gza_fleet.machines WHERE fleet = $1 AND id = $2', [fleet, id])
}

export async function askToDrain(db: FleetDatabase, fleet: string, id: string): Promise<void> {
  await db.rows('UPDATE gza_fleet.machines SET draining = true WHERE fleet = $1 AND id = $2', [fleet, id])
}

export function listMachines(db: FleetDatabase, fleet: string): Promise<Machine[]> {
  return db.rows<Machine>(
    `SELECT id, host, version, slots, busy, draining, seen, clock_timestamp() - seen < ${ALIVE} AS is_alive
     FROM gza_fleet.machines WHERE fleet = $1 ORDER BY host, id`,
    [fleet],
  )
}

/** Of the living machines that do not drain. */
export async function countSlots(db: FleetDatabase, fleet: string): Promise<{ free: number; busy: number }> {
  const [row] = await db.rows<{ free: number; busy: number }>(
    `SELECT coalesce(sum(greatest(slots - busy, 0)), 0)::integer AS free, coalesce(sum(busy), 0)::integer AS busy
     FROM gza_fleet.machines WHERE fleet = $1 AND NOT draining AND clock_timestamp() - seen < ${ALIVE}`,
    [fleet],
  )
  return row ?? { free: 0, busy: 0 }
}

export async function showRun(
  db: FleetDatabase,
  fleet: string,
  { offer, claim, uid, machine }: { offer: string; claim: number; uid: string; machine: string },
): Promise<void> {
  await db.rows(
    `INSERT INTO gza_fleet.runs (fleet, offer, claim, uid, machine) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (fleet, offer) DO UPDATE SET claim = excluded.claim, machine = excluded.machine, run = NULL,
       started_at = clock_timestamp()`,
    [fleet, offer, claim, uid, machine],
  )
}

export async function nameRun(
  db: FleetDatabase,
  fleet: string,
  { offer, claim, run }: { offer: string; claim: number; run: string },
): Promise<void> {
  await db.rows('UPDATE gza_fleet.runs SET run = $4 WHERE fleet = $1 AND offer = $2 AND claim = $3', [
    ...[fleet, offer, claim, run],
  ])
}

export async function hideRun(db: FleetDatabase, fleet: string, offer: string, claim: number): Promise<void> {
  await db.rows('DELETE FROM gza_fleet.runs WHERE fleet = $1 AND offer = $2 AND claim = $3', [fleet, offer, claim])
}

export function listFleetRuns(db: FleetDatabase, fleet: string): Promise<FleetRun[]> {
  return db.rows<FleetRun>(
    'SELECT uid, machine, run, claim, started_at FROM gza_fleet.runs WHERE fleet = $1 ORDER BY started_at',
    [fleet],
  )
}
