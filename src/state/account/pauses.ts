import type { Account } from './open-account.ts'

export function pauseOf(db: Account, agent: string): string | null {
  const row = db.query('SELECT until FROM pauses WHERE agent = ?').get(agent) as { until: string } | null
  return row?.until ?? null
}

export function setPause(db: Account, agent: string, until: string): void {
  db.query(
    'INSERT INTO pauses (agent, until) VALUES (?, ?) ON CONFLICT (agent) DO UPDATE SET until = excluded.until',
  ).run(agent, until)
}

/** Not if another worker has set a later one in the meantime. */
export function dropPause(db: Account, agent: string, now: string): void {
  db.query('DELETE FROM pauses WHERE agent = ? AND until <= ?').run(agent, now)
}
