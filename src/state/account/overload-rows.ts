import type { Account } from './open-account.ts'

export interface Overload {
  agent: string
  /** How often in a row. */
  times: number
  /** When it was last refused, in milliseconds since 1970. */
  since: number
}

/** After this time without a refusal, the next one is the first again. */
const FORGOTTEN_MS = 60 * 60_000

/**
 * One statement, so that runs that are refused together count once: only the refusal of a run that started after the
 * last one counts.
 */
export function addOverload(db: Account, { agent, at, started }: { agent: string; at: number; started: number }): void {
  db.query(
    `INSERT INTO overloads (agent, times, since) VALUES (?1, 1, ?2)
    ON CONFLICT (agent) DO UPDATE SET times = iif(?2 - since > ?4, 1, times + 1), since = ?2 WHERE ?3 >= since`,
  ).run(agent, at, started, FORGOTTEN_MS)
}

export function allOverloads(db: Account): Overload[] {
  return db.query('SELECT agent, times, since FROM overloads').all() as Overload[]
}

export function dropOverload(db: Account, agent: string): void {
  db.query('DELETE FROM overloads WHERE agent = ?').run(agent)
}
