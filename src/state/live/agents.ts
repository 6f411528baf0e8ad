import type { Live } from './open-live.ts'

/** An agent that somebody made known here, under a name that tasks can be assigned to. */
export interface RegisteredAgent {
  name: string
  /** The client that gza starts for it; null: the configured one, or gza does not start it. */
  client: string | null
  added_at: string
  /** When it last called gza. */
  seen_at: string | null
}

/** A second time sets its client anew. */
export function registerAgent(db: Live, { name, client, added_at }: Omit<RegisteredAgent, 'seen_at'>): void {
  db.query(
    'INSERT INTO agents (name, client, added_at) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET client = excluded.client',
  ).run(name, client, added_at)
}

export function unregisterAgent(db: Live, name: string): boolean {
  return db.query('DELETE FROM agents WHERE name = ?').run(name).changes === 1
}

export function registeredAgents(db: Live): RegisteredAgent[] {
  return db.query('SELECT * FROM agents ORDER BY name').all() as RegisteredAgent[]
}

export function sawAgent(db: Live, name: string, at: string): void {
  db.query('UPDATE agents SET seen_at = ? WHERE name = ?').run(at, name)
}
