/**
 * Statements on entries, for the files of this folder only. All other files use named queries. CROSS JOIN keeps the
 * order of the tables. Queries of the fastest commands name their index (INDEXED BY): the planner otherwise weighs all
 * seventeen, which takes up to a third of such a query.
 */
import { type Value, withAlias } from '../describe-table.ts'
import { ENTRY, type Entry } from './index-tables.ts'
import type { State } from './open-state.ts'

export function entryColumns(): string {
  return withAlias(ENTRY, 'e')
}

export function selectEntries(db: State, lid: number, rest: string, ...values: Value[]): Entry[] {
  return db.query(`SELECT ${entryColumns()} FROM entries e WHERE e.lid = ? AND ${rest}`).all(lid, ...values) as Entry[]
}

export function hasEntry(db: State, lid: number, rest: string, ...values: Value[]): boolean {
  return db.query(`SELECT 1 FROM entries e WHERE e.lid = ? AND ${rest} LIMIT 1`).get(lid, ...values) !== null
}

export function countEntries(db: State, lid: number, rest: string): number {
  return (db.query(`SELECT count(*) AS n FROM entries e WHERE e.lid = ? AND ${rest}`).get(lid) as { n: number }).n
}
