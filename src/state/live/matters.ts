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

/** What changed in the repository while an agent or a check ran. */
export const REF_CHANGED = 'REF_CHANGED'
export const SETTINGS_PUT_BACK = 'SETTINGS_PUT_BACK'
export const REMOTE_ADDED = 'REMOTE_ADDED'
export const HOOK_CHANGED = 'HOOK_CHANGED'
export const NESTED_REPOSITORY = 'NESTED_REPOSITORY'
/** A process of a run asked for access to the page that only people use. */
export const PAGE_ASKED = 'PAGE_ASKED'
const OF_REPOSITORY = [REF_CHANGED, SETTINGS_PUT_BACK, REMOTE_ADDED, HOOK_CHANGED, NESTED_REPOSITORY, PAGE_ASKED]

/** Replaces the earlier record of the same matter. */
export function keepMatter(db: Live, matter: Matter): void {
  putRow(db, MATTERS, { ...matter, facts: JSON.stringify(matter.facts) })
}

export function dropMatter(db: Live, { ledger, code, subject }: MatterKey): boolean {
  const where = 'ledger = ? AND code = ? AND subject = ?'
  return db.query(`DELETE FROM matters WHERE ${where}`).run(ledger, code, subject).changes > 0
}

/**
 * Those of the ledger, and those of the repository: an agent may have switched the person to another branch. Null: only
 * the latter.
 */
export function mattersOf(db: Live, ledger: string | null): Matter[] {
  const marks = OF_REPOSITORY.map(() => '?').join(', ')
  const where = `ledger = ? OR code IN (${marks})`
  const rows = db.query(`SELECT * FROM matters WHERE ${where} ORDER BY at, code, subject`).all(ledger, ...OF_REPOSITORY)
  return (rows as MatterRow[]).map((row) => ({ ...row, facts: JSON.parse(row.facts) }))
}
