/** Which task depends on which. For all tasks in one query each: one query for each task took longer than the drawing. */
import type { Status, TaskRef } from '../../core/task/task.ts'
import { columnsOf, type RowOf, some } from '../describe-table.ts'
import { ENTRIES, type Entry } from './index-tables.ts'
import type { State } from './open-state.ts'
import { entryColumns, hasEntry, selectEntries } from './select-entries.ts'
import { openSql, pendingSql } from './status-sql.ts'

/**
 * The dependencies of the task, by number. If the ledger does not have one, all its fields except `needed` are null.
 */
export function entriesNeededBy(db: State, lid: number, uid: string): (Entry & { needed: string })[] {
  return db
    .query(
      `SELECT n.needed, ${entryColumns()} FROM entries w CROSS JOIN needs n USING (row)
      LEFT JOIN entries e ON e.row = n.needed_row WHERE w.lid = ? AND w.uid = ? ORDER BY e.number`,
    )
    .all(lid, uid) as (Entry & { needed: string })[]
}

const NEEDS_IT = 'e.row IN (SELECT n.row FROM needs n WHERE n.needed = ?)'

export function pendingEntriesNeeding(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, `${NEEDS_IT} AND ${pendingSql('e')}`, uid)
}

/** Finished ones too. */
export function entriesNeeding(db: State, lid: number, uid: string): Entry[] {
  return selectEntries(db, lid, `${NEEDS_IT} AND e.deleted = 0`, uid)
}

/** The reviews that were filed for a task. */
export function reviewsOf(db: State, lid: number, uid: string): string[] {
  return selectEntries(db, lid, `${NEEDS_IT} AND e.type = 'review' AND e.deleted = 0`, uid).map((row) => row.uid)
}

/** Does a later task improve or review the work of this one? `after`: the number after which it was filed. */
export function hasFollowUp(db: State, lid: number, uid: string, after = 0): boolean {
  const followUp = `${NEEDS_IT} AND e.type IN ('improve', 'review') AND e.deleted = 0 AND e.number > ?`
  return hasEntry(db, lid, followUp, uid, after)
}

export interface NeedRow {
  task: string
  needs: string
}

/** By number. `all`: also finished tasks. Tasks that are not in this ledger count as needed too. */
export function needRows(db: State, lid: number, { all }: { all: boolean }): NeedRow[] {
  return db
    .query(
      `SELECT e.uid AS task, n.needed AS needs FROM entries e CROSS JOIN needs n USING (row) LEFT JOIN entries d ON d.row = n.needed_row
      WHERE e.lid = ? AND ${shown('e', all)} AND (d.row IS NULL OR (${shown('d', all)}))
      ORDER BY e.number, d.number`,
    )
    .all(lid) as NeedRow[]
}

function shown(alias: string, all: boolean): string {
  return all ? `${alias}.deleted = 0` : openSql(alias)
}

const GRAPH_ROW = some(ENTRIES, () => [
  'row',
  'uid',
  'id',
  'number',
  'key',
  'title',
  'status',
  'type',
  'grp',
  'parent',
  'plan_file',
  'unmet',
  'open_runs',
  'on_hold',
  'asks',
])
/** What a drawing shows of a task. */
export type GraphRow = RowOf<typeof GRAPH_ROW>

/** By number. */
export function graphRows(db: State, lid: number, { all }: { all: boolean }): GraphRow[] {
  return db
    .query(
      `SELECT ${columnsOf(GRAPH_ROW, 'e')} FROM entries e WHERE e.lid = ? AND ${shown('e', all)} ORDER BY e.number`,
    )
    .all(lid) as GraphRow[]
}

/**
 * The dependencies by row, including finished and deleted tasks among the needed; without a row, the uid of a task that
 * is not in this ledger. Numbers, because 300,000 pairs of uids took four times as long.
 */
export function needPairs(db: State, lid: number, { all }: { all: boolean }): [number, number | null, string | null][] {
  return db
    .query(
      `SELECT e.row, n.needed_row, CASE WHEN n.needed_row IS NULL THEN n.needed END FROM entries e CROSS JOIN needs n USING (row)
      WHERE e.lid = ? AND ${shown('e', all)}`,
    )
    .values(lid) as [number, number | null, string | null][]
}

export interface FilesRow {
  uid: string
  after: TaskRef[]
  based_on: TaskRef[]
  files_to_create: string[]
  files_to_modify: string[]
}

/** The declared files of all tasks that declare any, with their explicit dependencies. */
export function* declaredFiles(db: State, lid: number, { all }: { all: boolean }): Iterable<FilesRow> {
  const rows = db.query(
    `SELECT e.uid, json_extract(l.line, '$.files_to_create') AS created, json_extract(l.line, '$.files_to_modify') AS modified,
      json_extract(l.line, '$.after') AS after, json_extract(l.line, '$.based_on') AS based
    FROM entries e CROSS JOIN lines l USING (row)
    WHERE e.lid = ? AND ${shown('e', all)} AND instr(l.line, '"files_to_') > 0`,
  )
  for (const { uid, created, modified, after, based } of rows.iterate(lid) as Iterable<
    Record<'uid' | 'created' | 'modified' | 'after' | 'based', string | null>
  >)
    yield {
      uid: uid ?? '',
      after: refsIn(after),
      based_on: refsIn(based),
      files_to_create: JSON.parse(created ?? '[]'),
      files_to_modify: JSON.parse(modified ?? '[]'),
    }
}

/** Which field of a task names which other tasks. */
export interface NamingRow {
  row: number
  after: TaskRef[]
  based_on: TaskRef[]
}

/** Of all tasks that name others in fields besides `after`. */
export function* namingRows(db: State, lid: number, { all }: { all: boolean }): Iterable<NamingRow> {
  const rows = db.query(
    `SELECT e.row, json_extract(l.line, '$.after') AS after, json_extract(l.line, '$.based_on') AS based
    FROM entries e CROSS JOIN lines l USING (row)
    WHERE e.lid = ? AND ${shown('e', all)} AND (instr(l.line, '"depends_on"') > 0 OR instr(l.line, '"based_on"') > 0)`,
  )
  for (const { row, after, based } of rows.iterate(lid) as Iterable<{
    row: number
    after: string | null
    based: string | null
  }>)
    yield { row, after: refsIn(after), based_on: refsIn(based) }
}

/** One reference is stored alone, several as a list. */
function refsIn(json: string | null): TaskRef[] {
  if (json === null) return []
  return json.startsWith('[') ? JSON.parse(json) : [json as TaskRef]
}

/** Another task, and whether it is finished; its status is null if it is not in this ledger. */
export interface Link {
  uid: string
  status: Status | null
  deleted: number | null
}

const LINKS = {
  /** What it depends on. */
  needed: `SELECT n.needed AS uid, e.status, e.deleted FROM entries w CROSS JOIN needs n USING (row)
    LEFT JOIN entries e ON e.row = n.needed_row WHERE w.lid = ? AND w.uid = ? ORDER BY e.number`,
  /** What depends on it. */
  needing: `SELECT e.uid, e.status, e.deleted FROM needs n CROSS JOIN entries e USING (row)
    WHERE e.lid = ? AND n.needed = ?`,
  children: 'SELECT e.uid, e.status, e.deleted FROM entries e WHERE e.lid = ? AND e.parent = ? ORDER BY e.place',
}

export function linksOf(db: State, lid: number, uid: string, kind: keyof typeof LINKS): Link[] {
  return db.query(LINKS[kind]).all(lid, uid) as Link[]
}
