/** Where in a text something was found. */
import { Database } from 'bun:sqlite'
import { TEXT_FIELDS, type TextField } from '../../core/filter/filter.ts'
import { BETWEEN, type Document, FOUND, putTexts, writable } from './documents.ts'
import type { Search } from './open-search.ts'
import { COLUMNS, SHOWN_SCHEMA } from './search-tables.ts'

export interface Place {
  field: TextField
  /** The name of an artifact. */
  artifact: string | null
  /** A few words around it, with FOUND around each match. */
  snippet: string
}

/**
 * The place in each of some documents, in the same order; null if it is in none of its texts. The store has no texts, so
 * FTS5 is given those of these documents once more, in memory: it alone knows what it takes for a word.
 */
export function placesIn(documents: readonly Document[], expression: string): (Place | null)[] {
  const db = new Database(':memory:', { strict: true })
  try {
    db.run(SHOWN_SCHEMA)
    // One transaction: otherwise each text becomes a piece of the index.
    db.run('BEGIN')
    for (const [at, document] of documents.entries()) putTexts(db, at + 1, document)
    db.run('COMMIT')
    return documents.map((document, at) => placeOf(db, expression, at + 1, document))
  } finally {
    db.close()
  }
}

/** About as many words as a line of a terminal has. */
const SNIPPET_WORDS = 14

/** The text of a document that has most of what was searched for; the more important one, if several have. */
function placeOf(db: Search, expression: string, doc: number, document: Document): Place | null {
  const snippets = COLUMNS.map(
    (_, at) => `snippet(texts, ${at}, '${FOUND.begin}', '${FOUND.end}', '…', ${SNIPPET_WORDS})`,
  )
  const found = db
    .query(`SELECT ${snippets.join(', ')} FROM texts WHERE texts MATCH ? AND texts.rowid = ?`)
    .values(expression, doc)[0] as string[] | undefined
  if (found === undefined) return null
  const candidates = TEXT_FIELDS.map((field) => ({ field, snippet: found[COLUMNS.indexOf(field)] ?? '' }))
  const best = candidates.reduce((a, b) => (foundIn(b.snippet) > foundIn(a.snippet) ? b : a))
  const artifact = best.field === 'artifact' ? artifactWith(db, expression, doc, document) : null
  return { ...best, snippet: best.snippet.replaceAll(BETWEEN.trim(), '·'), artifact }
}

const MARKED = new RegExp(`${FOUND.begin}([^${FOUND.end}]*)`, 'g')

/** How many different things were found in it. */
function foundIn(snippet: string): number {
  return new Set(Array.from(snippet.matchAll(MARKED), ([, words = '']) => words.toLowerCase())).size
}

/** The artifact in which something was found first. */
function artifactWith(db: Search, expression: string, doc: number, { artifacts, texts }: Document): string | null {
  if (artifacts.length <= 1) return artifacts[0] ?? null
  const marked = db
    .query(
      `SELECT highlight(texts, 0, '${FOUND.begin}', '${FOUND.end}') AS text FROM texts
      WHERE texts MATCH ? AND texts.rowid = ?`,
    )
    .get(expression, doc) as { text: string } | null
  let left = marked?.text.indexOf(FOUND.begin) ?? 0
  for (const [at, name] of artifacts.entries()) {
    const { length } = writable(texts.artifact[at] ?? '')
    if (left < length) return name
    left -= length + BETWEEN.length
  }
  return null
}
