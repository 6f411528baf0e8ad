/**
 * What needs a person and belongs to no task: a plan that was refused, a base whose checks fail. Each is stored once.
 */
import { putRow, type RowOf } from '../describe-table.ts'
import { MATTERS } from './live-tables.ts'
import type { Live } from './open-live.ts'

type MatterRow = RowOf<typeof MATTERS>

export interface Matter extends Omit<MatterRow, 'facts'> {
  facts: Record<string, unknown>
}

export type MatterKey = Pick<Matter, 'ledger' | 'code' | 'subject'>

/** Replaces the earlier record of the same matter. */
export function keepMatter(db: Live, matter: Matter): void {
  putRow(db, MATTERS, { ...matter, facts: JSON.stringify(matter.facts) })
}

export function dropMatter(db: Live, { ledger, code, subject }: MatterKey): boolean {
  const where = 'ledger = ? AND code = ? AND subject = ?'
  return db.query(`DELETE FROM matters WHERE ${where}`).run(ledger, code, subject).changes > 0
}

export function mattersOf(db: Live, ledger: string): Matter[] {
  const rows = db.query('SELECT * FROM matters WHERE ledger = ? ORDER BY at, code, subject').all(ledger)
  return (rows as MatterRow[]).map((row) => ({ ...row, facts: JSON.parse(row.facts) }))
}
