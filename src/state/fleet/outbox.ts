/** Facts on their way from a worker to the remote's ledger. */
import type { FleetDatabase } from './connect-fleet.ts'
import { OFFERS } from './fleet-tables.ts'

/** The claim that a worker has on an offer. */
export interface Claim {
  offer: string
  uid: string
  generation: number
  seq: number
  claim: number
}

export interface NewFact<Payload> {
  run: string
  kind: string
  n: number
  payload: Payload
}

export interface OutboxRow<Payload> extends NewFact<Payload> {
  id: string
  seq: number
  claim: number
}

export const FACTS_CHANNEL = 'gza_fleet_facts'
export const ANSWERS_CHANNEL = 'gza_fleet_answers'

/**
 * Asks for a fact to be written. Returns false if the claim is lost: another worker may have the offer. The same fact may
 * be given again. Its answer is waited for with `readAnswer`.
 */
export function askForFact<Payload>(
  db: FleetDatabase,
  fleet: string,
  claim: Claim,
  { run, kind, n, payload }: NewFact<Payload>,
): Promise<boolean> {
  return db.inTransaction(async (rows) => {
    const held = await rows(
      `SELECT 1 FROM ${OFFERS}.job WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active' FOR UPDATE`,
      [fleet, claim.offer, claim.claim],
    )
    if (held.length === 0) return false
    await rows(
      `INSERT INTO gza_fleet.outbox (fleet, run, kind, n, seq, claim, offer, payload)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (fleet, run, kind, n) DO NOTHING`,
      [fleet, run, kind, n, claim.seq, claim.claim, claim.offer, JSON.stringify(payload)],
    )
    await rows(`NOTIFY ${FACTS_CHANNEL}`)
    return true
  })
}

/** Null: nobody has answered yet. */
export async function readAnswer<Answer>(
  db: FleetDatabase,
  fleet: string,
  { run, kind, n }: Omit<NewFact<unknown>, 'payload'>,
): Promise<Answer | null> {
  const [row] = await db.rows<{ answer: Answer | null }>(
    'SELECT answer FROM gza_fleet.outbox WHERE fleet = $1 AND run = $2 AND kind = $3 AND n = $4',
    [fleet, run, kind, n],
  )
  return row?.answer ?? null
}

/** A group that one push writes. */
const GROUP = 200

export function unansweredFacts<Payload>(db: FleetDatabase, fleet: string): Promise<OutboxRow<Payload>[]> {
  return db.rows<OutboxRow<Payload>>(
    `SELECT id, run, kind, n, seq, claim, payload FROM gza_fleet.outbox WHERE fleet = $1 AND answer IS NULL
     ORDER BY id LIMIT ${GROUP}`,
    [fleet],
  )
}

/** All in one transaction, after the push. What was answered long ago is in the ledger, and is removed. */
export async function answerFacts(db: FleetDatabase, answers: ReadonlyMap<string, object>): Promise<void> {
  if (answers.size === 0) return
  await db.inTransaction(async (rows) => {
    await rows(
      `UPDATE gza_fleet.outbox AS o SET answer = a.answer
       FROM unnest($1::bigint[], $2::jsonb[]) AS a (id, answer) WHERE o.id = a.id`,
      [[...answers.keys()], [...answers.values()].map((answer) => JSON.stringify(answer))],
    )
    await rows("DELETE FROM gza_fleet.outbox WHERE answer IS NOT NULL AND at < clock_timestamp() - interval '1 day'")
    await rows(`NOTIFY ${ANSWERS_CHANNEL}`)
  })
}
