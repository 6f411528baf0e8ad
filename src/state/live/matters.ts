/** What needs a person and is no task's: a plan that was refused, a base whose checks fail. Each once. */
import type { Live } from './open-live.ts'

export interface MatterKey {
  ledger: string
  code: string
  /** What it is about, as a person names it: a file, a branch. */
  subject: string
}

export interface Matter extends MatterKey {
  at: string
  facts: Record<string, unknown>
}

/** The last word on it counts. */
export function keepMatter(db: Live, { ledger, code, subject, at, facts }: Matter): void {
  db.query('INSERT OR REPLACE INTO matters (ledger, code, subject, at, facts) VALUES (?, ?, ?, ?, ?)').run(
    ...[ledger, code, subject, at],
    JSON.stringify(facts),
  )
}

export function dropMatter(db: Live, { ledger, code, subject }: MatterKey): boolean {
  const where = 'ledger = ? AND code = ? AND subject = ?'
  return db.query(`DELETE FROM matters WHERE ${where}`).run(ledger, code, subject).changes > 0
}

export function mattersOf(db: Live, ledger: string): Matter[] {
  const rows = db.query('SELECT * FROM matters WHERE ledger = ? ORDER BY at, code, subject').all(ledger)
  return (rows as (Matter & { facts: string })[]).map((row) => ({ ...row, facts: JSON.parse(row.facts) }))
}
