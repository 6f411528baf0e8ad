import { type Filter, readFilter, type TextField, unknownFields } from '../../core/filter/filter.ts'
import { splitFilterLine } from '../../core/filter/filter-line.ts'
import { negatedTerms } from '../../core/filter/given-filter.ts'
import { joinLetters } from '../../core/filter/separate-letters.ts'
import { command } from '../../core/sentence.ts'
import { oneLine } from '../../core/text/one-line.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import { inSnapshot } from '../../state/index/filtered-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { FOUND } from '../../state/search/documents.ts'
import { type FoundDocument, newestMatches } from '../../state/search/find-documents.ts'
import { type Place, placesIn } from '../../state/search/find-places.ts'
import { matchExpression } from '../../state/search/match-expression.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedgers } from '../ledger/read-ledger.ts'
import { readLinkedLedger } from '../links/read-linked-ledger.ts'
import { derivedStatus } from '../views/task-status.ts'
import type { TaskName, TaskView } from '../views/views.ts'
import type { Workspace } from '../workspace.ts'
import { hasConditions, rowsAmong } from './filtered-rows.ts'
import { type Texts, type TextsOf, withTexts } from './open-texts.ts'
import { readDocuments } from './read-documents.ts'
import type { Progress } from './update-search.ts'

export interface SearchOptions {
  /** A filter as a person types it, with at least one word to find. */
  line: string
  /** Terms that must not match. */
  not?: readonly string[]
  /** Also archived tasks. */
  all?: boolean
  allBranches?: boolean
  /** Without it, everything that matches. */
  limit?: number | undefined
}

export interface FoundTask extends TaskName, Pick<TaskView, 'key' | 'type' | 'ledger'> {
  /** The text in which it was found. */
  field: TextField
  /** The name of that text, if it is an artifact. */
  artifact: string | null
  /** A few words around what was found, on one line. */
  snippet: string
  /** Where in the snippet: start and end, counted in UTF-16 units. */
  matches: [start: number, end: number][]
}

export interface SearchResult {
  /** The best first. */
  found: FoundTask[]
  /** How many tasks match in all. */
  total: number
  /** There are so many that only the newest were ranked: `total` is how many. */
  isTotalOpen: boolean
  /** What looks like a field and is none: it was searched for as text. */
  unknown: string[]
}

/** A word that more tasks have tells little about any of them. Ranking 100,000 takes 70 ms, these 3 ms. */
const MOST_RANKED = 1000

/** Open and finished tasks in which all words are found, the best first. */
export function searchTasks(ws: Workspace, options: SearchOptions, progress?: Progress): SearchResult {
  const { line, not = [], all = false, limit } = options
  const filter = readFilter([...splitFilterLine(line), ...not.flatMap(negatedTerms)])
  const expression = matchExpression(filter.texts)
  if (expression === null) throw nothingToFind(line)
  const most = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(limit, MOST_RANKED)
  const views = options.allBranches ? readLedgers(ws) : [readLinkedLedger(ws)]
  const search = (textsOf: TextsOf): SearchResult => {
    const hits = views.flatMap((view) => hitsIn(view, textsOf(view), { filter, expression, most, all }))
    const best = hits.sort((a, b) => a.rank - b.rank).slice(0, limit)
    return {
      found: describe(best, expression),
      total: hits.length,
      isTotalOpen: hits.length >= most,
      unknown: unknownFields(line),
    }
  }
  return withTexts(ws, search, progress)
}

function nothingToFind(line: string): UserError {
  const what =
    line.trim() === '' ? 'There is nothing to search for' : `'${briefText(line, 100)}' has no word to search for`
  return new UserError('NO_WORDS', what, { hint: command`search "parser -legacy status:open"`, exitCode: 2 })
}

interface Hit extends FoundDocument {
  view: LedgerView
}

interface Wanted {
  filter: Filter
  expression: string
  most: number
  all: boolean
}

/** The newest matches that the rest of the filter lets through. */
function hitsIn(view: LedgerView, texts: Texts | null, { filter, expression, most, all }: Wanted): Hit[] {
  const hits: Hit[] = []
  if (texts === null) return hits
  const { db, lid } = texts
  const isWanted = (some: readonly FoundDocument[]) => {
    const uids = some.map(({ uid }) => uid)
    return new Set(rowsAmong(view, filter, { kind: 'uids', uids }).map(({ uid }) => uid))
  }
  for (let below: number | null = null; hits.length < most; ) {
    const some: FoundDocument[] = newestMatches(db, lid, expression, { below, limit: MOST_RANKED, archived: all })
    const wanted = hasConditions(filter) ? isWanted(some) : null
    for (const match of some) if (wanted?.has(match.uid) ?? true) hits.push({ ...match, view })
    below = some.at(-1)?.doc ?? null
    if (some.length < MOST_RANKED) break
  }
  return hits.slice(0, most)
}

/** The texts of so many are in memory at once. */
const DESCRIBED_AT_ONCE = 500

function describe(hits: readonly Hit[], expression: string): FoundTask[] {
  const described = new Map<Hit, FoundTask>()
  for (const [view, own] of Map.groupBy(hits, (hit) => hit.view))
    for (let at = 0; at < own.length; at += DESCRIBED_AT_ONCE)
      for (const [hit, task] of describeSome(view, own.slice(at, at + DESCRIBED_AT_ONCE), expression))
        described.set(hit, task)
  return hits.flatMap((hit) => described.get(hit) ?? [])
}

/** A task that was deleted meanwhile is left out. */
function describeSome(view: LedgerView, hits: readonly Hit[], expression: string): [Hit, FoundTask][] {
  const { rows, documents } = inSnapshot(view.ws.state, () => {
    const found = rowsAmong(view, readFilter([]), { kind: 'uids', uids: hits.map(({ uid }) => uid) })
    return { rows: found, documents: readDocuments(view, found) }
  })
  const places = placesIn(documents, expression)
  const tasks = new Map(rows.map((row, at) => [row.uid, foundTask(view, row, places[at] ?? null)]))
  return hits.flatMap((hit) => {
    const task = tasks.get(hit.uid)
    return task === undefined ? [] : [[hit, task]]
  })
}

/** Without a place if its texts have changed since it was found. */
function foundTask(view: LedgerView, row: Entry, place: Place | null): FoundTask {
  const { number, id, key, title, type } = row
  const { field, artifact, snippet } = place ?? { field: 'title', artifact: null, snippet: title }
  const name = { number, id, key, title, status: derivedStatus(view, row), type, ledger: view.row.ledger }
  return { ...name, field, artifact, ...readMarks(snippet) }
}

function readMarks(marked: string): Pick<FoundTask, 'snippet' | 'matches'> {
  const matches: [number, number][] = []
  let snippet = ''
  for (const part of joinLetters(oneLine(marked)).split(MARKS)) {
    if (part === FOUND.begin) matches.push([snippet.length, snippet.length])
    else if (part === FOUND.end) matches.splice(-1, 1, [matches.at(-1)?.[0] ?? 0, snippet.length])
    else snippet += part
  }
  return { snippet, matches }
}

const MARKS = new RegExp(`([${FOUND.begin}${FOUND.end}])`)
