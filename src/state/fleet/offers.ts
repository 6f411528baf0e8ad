/** Which worker does which task: one queue of pg-boss for each fleet. An offer that a worker has taken is its lease. */
import type { Offer } from '../../core/fleet/choose-offers.ts'
import type { FleetDatabase } from './connect-fleet.ts'
import { OFFERS } from './fleet-tables.ts'
import type { Claim } from './outbox.ts'

/** With pg-boss's own settings, a takeover would take longer than 15 s. */
const QUEUE = {
  policy: 'exclusive',
  heartbeatSeconds: 10,
  retryDelay: 0,
  retryLimit: 1000,
  expireInSeconds: 86_400,
  deleteAfterSeconds: 3600,
} as const

export interface Offers {
  send(offer: Offer): Promise<void>
  /** Null: there is none. */
  take(): Promise<Claim | null>
  /** Shows that its holder is alive. False: another worker has it, or it has ended. */
  renew(claim: Claim): Promise<boolean>
  /** Ends it. The dispatcher offers the task again if it is still ready. */
  complete(claim: Claim): Promise<void>
  /** Gives those whose holders are silent to other workers. */
  takeLapsed(): Promise<void>
  close(): Promise<void>
}

export async function openOffers(
  db: FleetDatabase,
  fleet: string,
  { create, failed }: { create: boolean; failed: (error: Error) => void },
): Promise<Offers> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await db.rows(text, values) }) },
    ...{ schema: OFFERS, migrate: create, createSchema: create },
    // gza decides when lapsed claims are taken away (`mayTakeLapsed`).
    ...{ supervise: false, schedule: false, monitorIntervalSeconds: 1, superviseIntervalSeconds: 1 },
    ...{ reindex: false, monitorVacuum: false },
  })
  boss.on('error', failed)
  await boss.start()
  if (create && (await boss.getQueue(fleet)) === null) await boss.createQueue(fleet, QUEUE)
  const attemptOf = ({ offer, claim }: Claim) => ({ id: offer, retryCount: claim })
  return {
    send: async (offer) => {
      await boss.send(fleet, offer, { singletonKey: offer.uid })
    },
    take: async () => {
      const [taken] = await boss.fetch<Offer>(fleet, { batchSize: 1, includeMetadata: true })
      return taken === undefined ? null : { ...taken.data, offer: taken.id, claim: taken.retryCount }
    },
    // Always with the number of the claim: an id alone would also end the claim of another worker.
    renew: async (claim) => hasChanged(await boss.touch(fleet, attemptOf(claim))),
    complete: async (claim) => {
      await boss.complete(fleet, attemptOf(claim))
    },
    takeLapsed: () => boss.supervise(fleet),
    close: () => boss.stop({ graceful: false }),
  }
}

function hasChanged(response: object): boolean {
  return 'affected' in response && response.affected === 1
}

/** The offers that have not ended: by uid, whether a worker has it. */
export async function outstandingOffers(db: FleetDatabase, fleet: string): Promise<Map<string, boolean>> {
  const rows = await db.rows<{ uid: string; is_taken: boolean }>(
    `SELECT singleton_key AS uid, state = 'active' AS is_taken FROM ${OFFERS}.job
     WHERE name = $1 AND state < 'completed'`,
    [fleet],
  )
  return new Map(rows.map(({ uid, is_taken }) => [uid, is_taken]))
}

/** The task is not offered for some time. */
export async function postpone(db: FleetDatabase, fleet: string, uid: string, seconds: number): Promise<void> {
  await db.rows(
    `INSERT INTO gza_fleet.waits (fleet, uid, until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (fleet, uid) DO UPDATE SET until = excluded.until`,
    [fleet, uid, seconds],
  )
}

export async function postponedTasks(db: FleetDatabase, fleet: string): Promise<Set<string>> {
  await db.rows('DELETE FROM gza_fleet.waits WHERE fleet = $1 AND until <= clock_timestamp()', [fleet])
  const rows = await db.rows<{ uid: string }>('SELECT uid FROM gza_fleet.waits WHERE fleet = $1', [fleet])
  return new Set(rows.map(({ uid }) => uid))
}
