/** What was found, and where. */
import { TEXT_FIELDS, type TextField } from '../../core/filter/filter.ts'
import { BETWEEN, docsOf, FOUND } from './documents.ts'
import type { Search } from './open-search.ts'
import { COLUMNS } from './search-tables.ts'

export interface FoundDocument {
  doc: number
  uid: string
  /** The lower, the better. */
  rank: number
}

/** How much a word counts in each column: in a title more than in a long text. */
const WEIGHTS: Record<TextField, number> = { title: 10, criteria: 4, content: 4, note: 2, file: 4, artifact: 1 }

interface Range {
  /** Only those with a lower number. */
  below: number | null
  limit: number
  archived: boolean
}

/** Documents of a ledger that match, the newest first. Ranking costs 3 µs for each, so a few are asked for at a time. */
export function newestMatches(
  db: Search,
  lid: number,
  expression: string,
  { below, limit, archived }: Range,
): FoundDocument[] {
  const { first, last } = docsOf(lid)
  const weights = COLUMNS.map((column) => WEIGHTS[column]).join(', ')
  return db
    .query(
      `SELECT d.doc, d.uid, bm25(texts, ${weights}) AS rank FROM texts CROSS JOIN documents d ON d.doc = texts.rowid
      WHERE texts MATCH ? AND texts.rowid BETWEEN ? AND ? ${archived ? '' : 'AND d.archived = 0'}
      ORDER BY texts.rowid DESC LIMIT ?`,
    )
    .all(expression, first, below === null ? last : below - 1, limit) as FoundDocument[]
}

/** The uids of all tasks of a ledger that match. */
export function matchingUids(db: Search, lid: number, expression: string): Set<string> {
  const { first, last } = docsOf(lid)
  const rows = db
    .query(
      `SELECT d.uid FROM texts CROSS JOIN documents d ON d.doc = texts.rowid
      WHERE texts MATCH ? AND texts.rowid BETWEEN ? AND ?`,
    )
    .values(expression, first, last) as [string][]
  return new Set(rows.map(([uid]) => uid))
}

/** Where something was found. */
export interface Place {
  field: TextField
  /** The name of an artifact. */
  artifact: string | null
  /** A few words around it, with FOUND around each match. */
  snippet: string
}

/** About as many words as a line of a terminal has. */
const SNIPPET_WORDS = 14

/** The text of a document that has most of what was searched for; the more important one, if several have. */
export function placeOf(db: Search, expression: string, doc: number): Place {
  const snippets = COLUMNS.map(
    (_, at) => `snippet(texts, ${at}, '${FOUND.begin}', '${FOUND.end}', '…', ${SNIPPET_WORDS})`,
  )
  const found = db
    .query(`SELECT ${snippets.join(', ')} FROM texts WHERE texts MATCH ? AND texts.rowid = ?`)
    .values(expression, doc)[0] as string[] | undefined
  const candidates = TEXT_FIELDS.map((field) => ({ field, snippet: found?.[COLUMNS.indexOf(field)] ?? '' }))
  const best = candidates.reduce((a, b) => (foundIn(b.snippet) > foundIn(a.snippet) ? b : a))
  const artifact = best.field === 'artifact' ? artifactWith(db, expression, doc) : null
  return { ...best, snippet: best.snippet.replaceAll(BETWEEN.trim(), '·'), artifact }
}

const MARKED = new RegExp(`${FOUND.begin}([^${FOUND.end}]*)`, 'g')

/** How many different things were found in it. */
function foundIn(snippet: string): number {
  return new Set(Array.from(snippet.matchAll(MARKED), ([, words = '']) => words.toLowerCase())).size
}

/** The artifact in which something was found first. */
function artifactWith(db: Search, expression: string, doc: number): string | null {
  const row = db.query('SELECT artifacts FROM documents WHERE doc = ?').get(doc) as { artifacts: string } | null
  const artifacts = JSON.parse(row?.artifacts ?? '[]') as [name: string, length: number][]
  if (artifacts.length <= 1) return artifacts[0]?.[0] ?? null
  const marked = db
    .query(
      `SELECT highlight(texts, 0, '${FOUND.begin}', '${FOUND.end}') AS text FROM texts
      WHERE texts MATCH ? AND texts.rowid = ?`,
    )
    .get(expression, doc) as { text: string } | null
  let left = marked?.text.indexOf(FOUND.begin) ?? 0
  for (const [name, length] of artifacts) {
    if (left < length) return name
    left -= length + BETWEEN.length
  }
  return null
}
