/** Tasks by the values of their fields, and what a search needs of all tasks. */
import type { FieldTest, Filter } from '../../core/filter/filter.ts'
import { PRIORITIES, type Priority } from '../../core/task/task.ts'
import { type RowWith, type Value, withAlias } from '../describe-table.ts'
import { type ENTRIES, ENTRY, type Entry } from './index-tables.ts'
import type { Artifact } from './ledger-files.ts'
import type { State } from './open-state.ts'
import { checkedLine, type KeptLine } from './read-tasks.ts'
import { entryColumns } from './select-entries.ts'
import { completedSql, failedSql, finishedSql, openSql, pendingSql, readySql } from './status-sql.ts'

/** Which tasks are looked at: those of a list, or some by their uids. Deleted ones never are. */
export type Among = { kind: 'open' } | { kind: 'listed'; archived: boolean } | { kind: 'uids'; uids: readonly string[] }

/** The conditions that SQL can judge: the status depends on what happens now, and files are compared with a pattern. */
export interface EntryConditions extends Pick<Filter, 'fields'> {
  /** Filed or finished since then, in the ledger's way to write a time. */
  times: readonly { isNot: boolean; since: string }[]
}

/** In the order of filing; the named ones in the order of their names. */
export function filteredEntries(db: State, lid: number, among: Among, { fields, times }: EntryConditions): Entry[] {
  const tests = [...fields.map(fieldSql), ...times.map(timeSql)]
  const conditions = [conditionOf(among), ...tests.map(({ sql }) => sql)].join(' AND ')
  const values = tests.flatMap((test) => test.values)
  if (among.kind === 'uids')
    return db
      .query(
        `SELECT ${entryColumns()} FROM json_each(?) j CROSS JOIN entries e INDEXED BY entries_uid ON e.lid = ? AND e.uid = j.value
        WHERE ${conditions} ORDER BY j.key`,
      )
      .all(JSON.stringify(among.uids), lid, ...values) as Entry[]
  const sql = `SELECT ${entryColumns()} FROM entries e WHERE e.lid = ? AND ${conditions} ORDER BY e.place`
  return db.query(sql).all(lid, ...values) as Entry[]
}

function conditionOf(among: Among): string {
  if (among.kind === 'open') return openSql('e')
  return among.kind === 'listed' && !among.archived ? 'e.deleted = 0 AND e.archived = 0' : 'e.deleted = 0'
}

interface Test {
  sql: string
  values: Value[]
}

const COLUMN: Record<FieldTest['field'], string> = {
  type: 'e.type',
  group: "coalesce(e.grp, '')",
  agent: "coalesce(e.assigned_agent, '')",
  priority: 'e.priority',
  milestone: "coalesce(e.milestone_id, '')",
}

function fieldSql({ field, isNot, values }: FieldTest): Test {
  const stored = field === 'priority' ? values.map((word) => PRIORITIES.indexOf(word as Priority)) : values
  const sql = `${COLUMN[field]} ${isNot ? 'NOT IN' : 'IN'} (SELECT value FROM json_each(?))`
  return { sql, values: [JSON.stringify(stored)] }
}

function timeSql({ isNot, since }: { isNot: boolean; since: string }): Test {
  const sql = `${isNot ? 'NOT ' : ''}(e.created_at >= ? OR coalesce(e.closed_at, '') >= ?)`
  return { sql, values: [since, since] }
}

/** What the completion of a shell needs of a task. */
export type NamedEntry = Pick<Entry, 'uid' | 'number' | 'id' | 'key' | 'title' | 'status' | 'unmet' | 'open_runs'>

/** The newest tasks in such a state whose number, or whose id or key, begins like this; with `uids` only those. In the order of filing. */
export function entriesNamedLike(
  db: State,
  lid: number,
  { state, beginning, limit, uids }: { state: NamedState; beginning: string; limit: number; uids?: readonly string[] },
): NamedEntry[] {
  const names = /^[0-9]/.test(beginning) ? ['CAST(e.number AS TEXT)'] : ['e.id', 'e.key']
  const isNamed = names.map((name) => `substr(${name}, 1, length(?2)) = ?2`).join(' OR ')
  const isAmong = uids === undefined ? '?4 IS NULL' : 'e.uid IN (SELECT value FROM json_each(?4))'
  const sql = `SELECT e.uid, e.number, e.id, e.key, e.title, e.status, e.unmet, e.open_runs FROM entries e
    WHERE e.lid = ?1 AND ${NAMED_STATES[state]()} AND (${isNamed}) AND ${isAmong} ORDER BY e.place DESC LIMIT ?3`
  const among = uids === undefined ? null : JSON.stringify(uids)
  return (db.query(sql).all(lid, beginning, limit, among) as NamedEntry[]).reverse()
}

/** The states by which commands choose their tasks. */
export type NamedState = keyof typeof NAMED_STATES

const HAS_WORK = '(e.branch IS NOT NULL OR e.closed_commit IS NOT NULL)'

const NAMED_STATES = {
  listed: () => 'e.deleted = 0 AND e.archived = 0',
  open: () => openSql('e'),
  ready: () => readySql('e'),
  failed: () => failedSql('e'),
  /** It waits for a person's answer. */
  asking: () => `${pendingSql('e')} AND e.asks = 1`,
  /** It waits for a person's decision. */
  undecided: () => `${openSql('e')} AND (e.status = 'failed' OR e.on_hold = 1 OR e.asks = 1)`,
  finished: () => `e.deleted = 0 AND ${finishedSql('e')}`,
  deleted: () => 'e.deleted = 1 AND e.away = 0',
  tried: () => 'e.deleted = 0 AND e.has_runs = 1',
  worked: () => `e.deleted = 0 AND ${HAS_WORK}`,
  reviewable: () => `${completedSql('e')} AND ${HAS_WORK}`,
  /** Completed on a branch, and never landed. Searched in the text: few commands ask for it. */
  unlanded: () => `${completedSql('e')} AND e.archived = 0 AND e.branch IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM lines l, json_each(l.line, '$.landings') a
    WHERE l.row = e.row AND instr(l.line, '"landed"') > 0 AND a.value ->> 'outcome' = 'landed')`,
}

/** The files that each of these tasks declares, by row. Those without any are left out. */
export function declaredFiles(db: State, rows: readonly Pick<Entry, 'row'>[]): Map<number, string[]> {
  const found = db
    .query(
      `SELECT l.row, f.value FROM json_each(?) j CROSS JOIN lines l ON l.row = j.value
      CROSS JOIN json_each(json_array('$.files_to_create', '$.files_to_modify', '$.test_files')) field
      CROSS JOIN json_each(l.line, field.value) f WHERE instr(l.line, '_files":') OR instr(l.line, '"files_to_')`,
    )
    .values(JSON.stringify(rows.map(({ row }) => row))) as [number, string][]
  const files = new Map<number, string[]>()
  for (const [row, file] of found) files.set(row, [...(files.get(row) ?? []), file])
  return files
}

/** What the board needs of every task, also of those that it does not show. */
const BOARD_ENTRY = `${ENTRY}, priority, branch` as const
export type BoardEntry = RowWith<typeof ENTRIES, typeof BOARD_ENTRY>

/** Every task that is not deleted, in the order in which open ones should be started; `archived`: also archived ones. */
export function entriesToStart(db: State, lid: number, { archived }: { archived: boolean }): BoardEntry[] {
  const sql = `SELECT ${withAlias(BOARD_ENTRY, 'e')} FROM entries e WHERE e.lid = ? AND
    ${conditionOf({ kind: 'listed', archived })} ORDER BY e.priority, e.milestone, e.number`
  return db.query(sql).all(lid) as BoardEntry[]
}

/** The lines of these rows, in the same order. */
export function linesOfRows(db: State, rows: readonly Pick<Entry, 'row'>[]): string[] {
  const found = db
    .query('SELECT j.key, l.line, l.sum FROM json_each(?) j LEFT JOIN lines l ON l.row = j.value')
    .all(JSON.stringify(rows.map(({ row }) => row))) as (KeptLine & { key: number })[]
  const lines: string[] = []
  for (const kept of found) lines[kept.key] = checkedLine(kept)
  return lines
}

/** A task, and a number that changes with its line. */
export interface LineSum extends Pick<Entry, 'row' | 'uid' | 'place'> {
  sum: number
}

/** Every task that is not deleted, in the order of the uids. */
export function lineSums(db: State, lid: number): Iterable<LineSum> {
  return db
    .query(
      `SELECT e.row, e.uid, e.place, l.sum FROM entries e INDEXED BY entries_uid CROSS JOIN lines l USING (row)
      WHERE e.lid = ? AND e.deleted = 0 ORDER BY e.uid`,
    )
    .iterate(lid) as Iterable<LineSum>
}

/** All artifacts of a ledger, in the order of their paths, which begin with the uids of their tasks. */
export function artifactsInOrder(db: State, lid: number): Iterable<Artifact> {
  return db.query('SELECT path, blob FROM artifacts WHERE lid = ? ORDER BY path').iterate(lid) as Iterable<Artifact>
}

/** The artifacts of these tasks, in the order of their paths. */
export function artifactsOfTasks(db: State, lid: number, uids: readonly string[]): Artifact[] {
  return db
    .query(
      `SELECT a.path, a.blob FROM json_each(?) j CROSS JOIN artifacts a ON a.lid = ?
      AND a.path >= 'artifacts/' || j.value || '/' AND a.path < 'artifacts/' || j.value || '0' ORDER BY a.path`,
    )
    .all(JSON.stringify(uids), lid) as Artifact[]
}

/** What is read meanwhile is of one moment, whatever other processes write. */
export function inSnapshot<T>(db: State, read: () => T): T {
  db.run('BEGIN')
  try {
    return read()
  } finally {
    db.run('COMMIT')
  }
}
