/** Which documents have what is searched for. */
import type { TextField } from '../../core/filter/filter.ts'
import { docsOf } from './documents.ts'
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
