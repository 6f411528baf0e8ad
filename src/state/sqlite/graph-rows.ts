/** Who waits for whom, all of it in one query each: one query for each task took longer than the drawing. */
import type { State } from './open-state.ts'

const OPEN = "status NOT IN ('completed', 'skipped')"

export interface NeedRow {
  task: string
  needs: string
}

/** By number. `all`: finished tasks too. Tasks that this ledger does not hold are needed all the same. */
export function needRows(db: State, lid: number, { all }: { all: boolean }): NeedRow[] {
  const open = (table: string) => (all ? '' : `AND ${table}.${OPEN}`)
  return db
    .query(
      `SELECT e.uid AS task, n.needed AS needs FROM entries e CROSS JOIN needs n USING (row) LEFT JOIN entries d ON d.row = n.needed_row
      WHERE e.lid = ? AND e.deleted = 0 ${open('e')} AND (d.row IS NULL OR (d.deleted = 0 ${open('d')}))
      ORDER BY e.number, d.number`,
    )
    .all(lid) as NeedRow[]
}

export interface FilesRow {
  uid: string
  files_to_create: string[]
  files_to_modify: string[]
}

/** The files that tasks declare, of those that declare any. */
export function* declaredFiles(db: State, lid: number, { all }: { all: boolean }): Iterable<FilesRow> {
  const rows = db.query(
    `SELECT e.uid, json_extract(l.line, '$.files_to_create') AS created, json_extract(l.line, '$.files_to_modify') AS modified
    FROM entries e CROSS JOIN lines l USING (row)
    WHERE e.lid = ? AND e.deleted = 0 ${all ? '' : `AND e.${OPEN}`} AND instr(l.line, '"files_to_') > 0`,
  )
  for (const { uid, created, modified } of rows.iterate(lid) as Iterable<
    Record<'uid' | 'created' | 'modified', string | null>
  >)
    yield {
      uid: uid ?? '',
      files_to_create: JSON.parse(created ?? '[]'),
      files_to_modify: JSON.parse(modified ?? '[]'),
    }
}
