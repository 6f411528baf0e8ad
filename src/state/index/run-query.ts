import { SQLiteError } from 'bun:sqlite'
import type { State } from './open-state.ts'

/** Answers one reading statement; `why` where SQLite could not. Nothing can be written meanwhile. */
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
