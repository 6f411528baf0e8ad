/** What a ledger's files contain besides tasks: artifacts, lines that cannot be read, and other programs' spelling. */
import type { ForeignFile } from '../../core/ledger/task-files.ts'
import { insertInto, putRow, type RowOf } from '../describe-table.ts'
import { ARTIFACTS, FOREIGN_FILES, UNREADABLE } from './index-tables.ts'
import type { State } from './open-state.ts'

export type Unreadable = Omit<RowOf<typeof UNREADABLE>, 'lid'>

export function unreadableLines(db: State, lid: number): Unreadable[] {
  const rows = db.query('SELECT path, line, text, why FROM unreadable WHERE lid = ? ORDER BY path, line').all(lid)
  return (rows as Unreadable[]).map((row) => ({ ...row, text: JSON.parse(row.text) }))
}

/** Replaces the recorded unreadable lines of the file. */
export function setUnreadable(db: State, lid: number, path: string, lines: readonly Omit<Unreadable, 'path'>[]): void {
  db.query('DELETE FROM unreadable WHERE lid = ? AND path = ?').run(lid, path)
  const insert = db.query(insertInto(UNREADABLE))
  for (const { line, text, why } of lines) insert.run(lid, path, line, JSON.stringify(text), why)
}

/** The files that gza would write in another way, by path. */
export function foreignFiles(db: State, lid: number): Map<string, ForeignFile> {
  const rows = db.query('SELECT path, tasks, text FROM foreign_files WHERE lid = ?').all(lid)
  return new Map(
    (rows as (ForeignFile & { path: string })[]).map(({ path, tasks, text }) => [
      path,
      { tasks, text: JSON.parse(text) },
    ]),
  )
}

/** Null: gza would write the file as it is. */
export function setForeignFile(db: State, lid: number, path: string, file: ForeignFile | null): void {
  if (file === null) db.query('DELETE FROM foreign_files WHERE lid = ? AND path = ?').run(lid, path)
  else putRow(db, FOREIGN_FILES, { lid, path, tasks: file.tasks, text: JSON.stringify(file.text) })
}

export type Artifact = Omit<RowOf<typeof ARTIFACTS>, 'lid'>

export function artifactsOf(db: State, lid: number, prefix = 'artifacts/'): Artifact[] {
  return db
    .query('SELECT path, blob FROM artifacts WHERE lid = ? AND path >= ? AND path < ? ORDER BY path')
    .all(lid, prefix, `${prefix}\u{10ffff}`) as Artifact[]
}

/** The file names of the artifacts of all ledgers. */
export function artifactNames(db: State): string[] {
  const rows = db.query('SELECT DISTINCT path FROM artifacts').values() as [string][]
  return rows.map(([path]) => path.slice(path.lastIndexOf('/') + 1))
}

/** A null blob: the artifact was removed. */
export function setArtifact(db: State, lid: number, path: string, blob: string | null): void {
  if (blob === null) db.query('DELETE FROM artifacts WHERE lid = ? AND path = ?').run(lid, path)
  else putRow(db, ARTIFACTS, { lid, path, blob })
}
