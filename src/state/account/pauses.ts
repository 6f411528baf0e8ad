import type { Account } from './open-account.ts'

/** What is paused. An empty model: the whole account. */
export interface PauseKey {
  agent: string
  account: string
  model: string
}

export interface Pause extends PauseKey {
  until: string
  /** How often in a row the end was guessed, because the client did not report it. */
  guesses: number
}

/** The pauses that apply to a call: that of the whole account, and that of the model. */
export function pausesOf(db: Account, { agent, account, model }: PauseKey): Pause[] {
  return db
    .query("SELECT * FROM agent_pauses WHERE agent = ? AND account = ? AND model IN ('', ?) ORDER BY until")
    .all(agent, account, model) as Pause[]
}

export function pausesAfter(db: Account, now: string): Pause[] {
  return db.query('SELECT * FROM agent_pauses WHERE until > ? ORDER BY agent, until').all(now) as Pause[]
}

export function setPause(db: Account, { agent, account, model, until, guesses }: Pause): void {
  db.query(
    `INSERT INTO agent_pauses (agent, account, model, until, guesses) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (agent, account, model) DO UPDATE SET until = excluded.until, guesses = excluded.guesses`,
  ).run(agent, account, model, until, guesses)
}

/** Those that ended before, in every account. */
export function dropPauses(db: Account, agent: string, endedBy: string): void {
  db.query('DELETE FROM agent_pauses WHERE agent = ? AND until <= ?').run(agent, endedBy)
}

/** All of them, over or not. Returns those that were not over. */
export function liftPauses(db: Account, agent: string, now: string): Pause[] {
  const lifted = pausesAfter(db, now).filter((pause) => pause.agent === agent)
  db.query('DELETE FROM agent_pauses WHERE agent = ?').run(agent)
  return lifted
}
