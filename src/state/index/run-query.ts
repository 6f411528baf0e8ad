/** `gza query`: the only place that runs SQL which a user wrote. */
import { SQLiteError } from 'bun:sqlite'
import type { State } from './open-state.ts'

/** An agent as the view `agents` shows it. The columns are public. */
export interface QueriedAgent {
  id: string
  status: string
  current_task: number | null
  client: string | null
  heartbeat_at: string | null
}

/**
 * Views with the same names that show these ledgers as they are now: the index also contains others, and older ones.
 */
export function narrowViews(db: State, ledgers: readonly string[], agents: readonly QueriedAgent[]): void {
  const names = ledgers.map((ledger) => `'${ledger.replaceAll("'", "''")}'`)
  db.run(`CREATE TEMP VIEW tasks AS SELECT * FROM main.tasks WHERE ledger IN (${names.join(', ')})`)
  // The index does not contain who works now.
  db.run('CREATE TEMP TABLE agents (id TEXT, status TEXT, current_task INTEGER, client TEXT, heartbeat_at TEXT)')
  const insert = db.query(
    'INSERT INTO temp.agents (id, status, current_task, client, heartbeat_at) VALUES (?, ?, ?, ?, ?)',
  )
  for (const { id, status, current_task, client, heartbeat_at } of agents)
    insert.run(id, status, current_task, client, heartbeat_at)
}

/** Runs one statement that reads; `why` if SQLite refused it. Nothing can be written meanwhile. */
export function runQuery(db: State, sql: string): { rows: Record<string, unknown>[] } | { why: string } {
  db.run('PRAGMA query_only = ON')
  try {
    return { rows: db.query(sql).all() as Record<string, unknown>[] }
  } catch (error) {
    if (error instanceof SQLiteError) return { why: error.message }
    throw error
  } finally {
    db.run('PRAGMA query_only = OFF')
  }
}
