/** The texts of tasks, as they are written and read. */
import { separateLetters } from '../../core/filter/separate-letters.ts'
import type { Search } from './open-search.ts'
import { COLUMNS, type DocumentRow } from './search-tables.ts'

/** The texts of one task. Several of a kind are kept apart, so that no phrase is found across two of them. */
export interface Document extends Pick<DocumentRow, 'uid' | 'archived'> {
  texts: Record<(typeof COLUMNS)[number], readonly string[]>
  /** The names of the artifacts, in the order of their texts. */
  artifacts: readonly string[]
}

export interface VersionedDocument extends Document, Pick<DocumentRow, 'version'> {}

export type KnownVersion = Pick<DocumentRow, 'doc' | 'uid' | 'version'>

/** In the order of their uids. */
export function knownVersions(db: Search, lid: number): Iterable<KnownVersion> {
  return db
    .query('SELECT doc, uid, version FROM documents WHERE lid = ? ORDER BY uid')
    .iterate(lid) as Iterable<KnownVersion>
}

/** The versions of these tasks. */
export function versionsOf(db: Search, lid: number, uids: readonly string[]): Map<string, KnownVersion> {
  const rows = db
    .query(
      `SELECT d.doc, d.uid, d.version FROM json_each(?2) j
      CROSS JOIN documents d INDEXED BY documents_uid ON d.lid = ?1 AND d.uid = j.value`,
    )
    .all(lid, JSON.stringify(uids)) as KnownVersion[]
  return new Map(rows.map((row) => [row.uid, row]))
}

/** Adds documents, or replaces those of the same tasks. The caller holds the lock. */
export function putDocuments(db: Search, lid: number, documents: readonly VersionedDocument[]): void {
  const uids = documents.map(({ uid }) => uid)
  const known = versionsOf(db, lid, uids)
  const list = db.query('INSERT OR REPLACE INTO documents (doc, lid, uid, version, archived) VALUES (?, ?, ?, ?, ?)')
  let next = nextDoc(db, lid)
  const listed: Parameters<typeof list.run>[] = []
  for (const document of documents) {
    const { uid, version, archived } = document
    const old = known.get(uid)
    if (old?.version === version) continue
    if (old !== undefined) db.query('DELETE FROM texts WHERE rowid = ?').run(old.doc)
    const doc = old?.doc ?? next++
    putTexts(db, doc, document)
    listed.push([doc, lid, uid, version, archived])
  }
  // Only then: each of these makes FTS5 write the words that it has in memory, which would be one piece for each task.
  for (const row of listed) list.run(...row)
}

/** Only the words of the texts, in a store. */
export function putTexts(db: Search, doc: number, { texts }: Pick<Document, 'texts'>): void {
  const names = ['rowid', ...COLUMNS]
  db.query(`INSERT INTO texts (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
    doc,
    ...COLUMNS.map((column) => texts[column].map(writable).join(BETWEEN)),
  )
}

/** The caller holds the lock. */
export function removeDocuments(db: Search, docs: readonly number[]): void {
  for (const table of ['texts', 'documents']) {
    const key = table === 'texts' ? 'rowid' : 'doc'
    db.query(`DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?))`).run(JSON.stringify(docs))
  }
}

const DOCS_OF_LEDGER = 2 ** 32

/** The numbers that documents of a ledger can have. */
export function docsOf(lid: number): { first: number; last: number } {
  return { first: lid * DOCS_OF_LEDGER, last: (lid + 1) * DOCS_OF_LEDGER - 1 }
}

function nextDoc(db: Search, lid: number): number {
  const { first, last } = docsOf(lid)
  const row = db.query('SELECT max(doc) AS doc FROM documents WHERE doc BETWEEN ? AND ?').get(first, last)
  return ((row as { doc: number | null }).doc ?? first) + 1
}

/** A word that nobody types. */
export const BETWEEN = ' \ue000 '

/** Marks around what was found. No text of a task has them. */
export const FOUND = { begin: '\u0001', end: '\u0002' }

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the marks, and a zero would end the text in SQLite
const NOT_KEPT = /[\u0000-\u0002]/g

/** A text as it is in a store. */
export function writable(text: string): string {
  return separateLetters(text.replace(NOT_KEPT, ' ').toWellFormed())
}
