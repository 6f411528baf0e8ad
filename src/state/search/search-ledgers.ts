/** Which ledgers the store has, and up to which commit. */
import type { RowOf } from '../describe-table.ts'
import type { Search } from './open-search.ts'
import { LEDGERS } from './search-tables.ts'

export type SearchLedger = RowOf<typeof LEDGERS>

export function searchLedger(db: Search, ledger: string): SearchLedger | null {
  return db.query(`SELECT * FROM ${LEDGERS.name} WHERE ledger = ?`).get(ledger) as SearchLedger | null
}

/** From now on the ledger's documents are brought to this commit; a process that brings them to another one stops. */
export function beginUpdate(db: Search, ledger: string, tip: string): number {
  db.query(
    `INSERT INTO ledgers (ledger, tip, is_whole) VALUES (?1, ?2, 0)
    ON CONFLICT (ledger) DO UPDATE SET tip = ?2, is_whole = 0 WHERE tip <> ?2`,
  ).run(ledger, tip)
  return (searchLedger(db, ledger) as SearchLedger).lid
}

export function endUpdate(db: Search, lid: number, tip: string): void {
  db.query('UPDATE ledgers SET is_whole = 1 WHERE lid = ? AND tip = ?').run(lid, tip)
}

/** Is somebody bringing the ledger's documents to another commit? */
export function isOvertaken(db: Search, lid: number, tip: string): boolean {
  return db.query('SELECT 1 FROM ledgers WHERE lid = ? AND tip = ?').get(lid, tip) === null
}

/** Removes the ledgers that no longer exist. */
export function dropOtherLedgers(db: Search, ledgers: readonly string[]): void {
  const gone = db
    .query('SELECT lid FROM ledgers WHERE ledger NOT IN (SELECT value FROM json_each(?))')
    .values(JSON.stringify(ledgers)) as [number][]
  for (const [lid] of gone) {
    db.query('DELETE FROM texts WHERE rowid IN (SELECT doc FROM documents WHERE lid = ?)').run(lid)
    db.query('DELETE FROM documents WHERE lid = ?').run(lid)
    db.query('DELETE FROM ledgers WHERE lid = ?').run(lid)
  }
}
