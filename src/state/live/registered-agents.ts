import { insertInto, valuesOf } from '../describe-table.ts'
import { AGENTS, type RegisteredAgent } from './live-tables.ts'
import type { Live } from './open-live.ts'

export type { RegisteredAgent } from './live-tables.ts'

/** For a known name, this changes only its client. */
export function registerAgent(db: Live, agent: Omit<RegisteredAgent, 'seen_at'>): void {
  const insert = `${insertInto(AGENTS)} ON CONFLICT (name) DO UPDATE SET client = excluded.client`
  db.query(insert).run(...valuesOf(AGENTS, { ...agent, seen_at: null }))
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
