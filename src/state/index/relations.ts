/**
 * What many tasks are tied to, in one query for all of them. Rows and uids are handed to SQLite as one JSON list: a query for
 * each of 10,000 tasks takes longer than everything else that a list does.
 */

import { withAlias } from '../describe-table.ts'
import { type Entry, KNOWN_ENTRY, type KnownEntry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { blockingSql } from './status-sql.ts'

export function entriesOf(db: State, lid: number, uids: readonly string[]): Map<string, KnownEntry> {
  const entries = new Map<string, KnownEntry>()
  if (uids.length === 0) return entries
  const rows = db
    .query(
      `SELECT ${withAlias(KNOWN_ENTRY, 'e')}
      FROM json_each(?) j CROSS JOIN entries e INDEXED BY entries_uid ON e.lid = ? AND e.uid = j.value`,
    )
    .all(JSON.stringify(uids), lid) as KnownEntry[]
  for (const row of rows) entries.set(row.uid, row)
  return entries
}

/** The ids of those tasks that the ledger holds. */
export function idsOf(db: State, lid: number, uids: readonly string[]): Map<string, string> {
  if (uids.length === 0) return new Map()
  const rows = db
    .query('SELECT e.uid, e.id FROM json_each(?) j CROSS JOIN entries e ON e.lid = ? AND e.uid = j.value')
    .values(JSON.stringify(uids), lid)
  return new Map(rows as [string, string][])
}

/** The ids of their children, in the order of filing, by the uid of the parent. */
export function childIdsOf(db: State, lid: number, uids: readonly string[]): Map<string, string[]> {
  const rows = db
    .query(
      `SELECT e.parent, e.id FROM json_each(?) j CROSS JOIN entries e ON e.lid = ? AND e.parent = j.value
      WHERE e.deleted = 0 ORDER BY e.place`,
    )
    .values(JSON.stringify(uids), lid)
  return grouped(rows as [string, string][])
}

/** The paths of their artifacts, by uid. */
export function artifactPathsOf(db: State, lid: number, uids: readonly string[]): Map<string, string[]> {
  // `0` is the character after `/`.
  const rows = db
    .query(
      `SELECT j.value, a.path FROM json_each(?) j CROSS JOIN artifacts a
      ON a.lid = ? AND a.path > 'artifacts/' || j.value || '/' AND a.path < 'artifacts/' || j.value || '0'
      ORDER BY a.path`,
    )
    .values(JSON.stringify(uids), lid)
  return grouped(rows as [string, string][])
}

/** A task that another one waits for. `known` is null where the ledger does not hold it. */
export interface Blocker {
  uid: string
  known: Pick<Entry, 'uid' | 'id' | 'number' | 'title' | 'status' | 'unmet' | 'open_runs'> | null
}

/** Its title, and where it is now if it moved. */
export function blockerTitle(alias: string): string {
  return `${alias}.title || CASE ${alias}.away WHEN 1 THEN ' (moved to ' || ${alias}.moved_to || ')' ELSE '' END`
}

/** The open dependencies of the tasks in these rows, by number. Those that the ledger does not hold come first. */
export function blockersOfRows(db: State, rows: readonly number[]): Map<number, Blocker[]> {
  if (rows.length === 0) return new Map()
  const found = db
    .query(
      `SELECT n.row, n.needed, d.id, d.number, ${blockerTitle('d')} AS title, d.status, d.unmet, d.open_runs
      FROM json_each(?) j CROSS JOIN needs n ON n.row = j.value LEFT JOIN entries d NOT INDEXED ON d.row = n.needed_row
      WHERE d.row IS NULL OR ${blockingSql('d')}`,
    )
    .all(JSON.stringify(rows)) as BlockerRow[]
  const blockers = new Map<number, Blocker[]>()
  for (const each of found) addTo(blockers, each.row, blockerIn(each))
  for (const several of blockers.values()) several.sort((a, b) => (a.known?.number ?? -1) - (b.known?.number ?? -1))
  return blockers
}

type BlockerRow = Omit<NonNullable<Blocker['known']>, 'id' | 'uid'> & { row: number; needed: string; id: string | null }

function blockerIn({ needed: uid, id, number, title, status, unmet, open_runs }: BlockerRow): Blocker {
  return { uid, known: id === null ? null : { uid, id, number, title, status, unmet, open_runs } }
}

function grouped<K, V>(pairs: Iterable<[K, V]>): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const [key, value] of pairs) addTo(groups, key, value)
  return groups
}

function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}
