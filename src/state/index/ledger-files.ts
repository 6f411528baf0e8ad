/** What a ledger's files contain besides tasks: artifacts, and lines that cannot be read. */
import { insertInto, putRow, type RowOf } from '../describe-table.ts'
import { ARTIFACTS, UNREADABLE } from './index-tables.ts'
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

/** A write puts the unreadable lines after the tasks of their file, in their order. */
export function moveUnreadable(db: State, lid: number, path: string, tasks: number): void {
  const kept = db.query('SELECT rowid FROM unreadable WHERE lid = ? AND path = ? ORDER BY line').all(lid, path)
  const move = db.query('UPDATE unreadable SET line = ? WHERE rowid = ?')
  for (const [at, { rowid }] of (kept as { rowid: number }[]).entries()) move.run(tasks + at + 1, rowid)
}

export type Artifact = Omit<RowOf<typeof ARTIFACTS>, 'lid'>

export function artifactsOf(db: State, lid: number, prefix = 'artifacts/'): Artifact[] {
  return db
    .query('SELECT path, blob FROM artifacts WHERE lid = ? AND path >= ? AND path < ? ORDER BY path')
    .all(lid, prefix, `${prefix}\u{10ffff}`) as Artifact[]
}

/** A null blob: the artifact was removed. */
export function setArtifact(db: State, lid: number, path: string, blob: string | null): void {
  if (blob === null) db.query('DELETE FROM artifacts WHERE lid = ? AND path = ?').run(lid, path)
  else putRow(db, ARTIFACTS, { lid, path, blob })
}
