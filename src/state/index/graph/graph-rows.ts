/** What a drawing of the dependencies reads, in one query for all tasks. */
import type { TaskRef } from '../../../core/task/task.ts'
import { type RowWith, withAlias } from '../../describe-table.ts'
import { shown } from '../dependency-rows.ts'
import type { ENTRIES } from '../index-tables.ts'
import type { State } from '../open-state.ts'

const GRAPH_ROW =
  'row, uid, id, number, key, title, status, type, grp, parent, plan_file, unmet, open_runs, on_hold, asks'
/** What a drawing shows of a task. */
export type GraphRow = RowWith<typeof ENTRIES, typeof GRAPH_ROW>

/** By number. */
export function graphRows(db: State, lid: number, { all }: { all: boolean }): GraphRow[] {
  return db
    .query(
      `SELECT ${withAlias(GRAPH_ROW, 'e')} FROM entries e WHERE e.lid = ? AND ${shown('e', all)} ORDER BY e.number`,
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

/** What a task's line says of its ties besides the plain dependencies. */
export interface NamingRow {
  row: number
  uid: string
  after: TaskRef[]
  based_on: TaskRef[]
  files_to_create: string[]
  files_to_modify: string[]
  /** It names others in fields besides `after`. */
  namesOthers: boolean
  declaresFiles: boolean
}

/** Of all tasks that name others in fields besides `after`, or declare files. The lines of others are not read. */
export function* namingRows(db: State, lid: number, { all }: { all: boolean }): Iterable<NamingRow> {
  const field = (name: string) => `json_extract(l.line, '$.${name}')`
  const rows = db.query(
    `SELECT e.row, e.uid, e.ties & 1 AS names, e.ties & 2 AS declares, ${field('after')} AS after, ${field('based_on')} AS based,
      ${field('files_to_create')} AS created, ${field('files_to_modify')} AS modified
    FROM entries e CROSS JOIN lines l USING (row)
    WHERE e.lid = ? AND ${shown('e', all)} AND e.ties > 0`,
  )
  for (const found of rows.iterate(lid) as Iterable<FoundNaming>)
    yield {
      row: found.row,
      uid: found.uid,
      after: refsIn(found.after),
      based_on: refsIn(found.based),
      files_to_create: JSON.parse(found.created ?? '[]'),
      files_to_modify: JSON.parse(found.modified ?? '[]'),
      namesOthers: found.names === 1,
      declaresFiles: found.declares > 0,
    }
}

interface FoundNaming extends Pick<NamingRow, 'row' | 'uid'>, Record<'names' | 'declares', number> {
  after: string | null
  based: string | null
  created: string | null
  modified: string | null
}

/** One reference is stored alone, several as a list. */
function refsIn(json: string | null): TaskRef[] {
  if (json === null) return []
  return json.startsWith('[') ? JSON.parse(json) : [json as TaskRef]
}
