/** The tasks that a filter lets through. */
import { type Filter, unknownFields } from '../../core/filter/filter.ts'
import { filterOf, type GivenFilter } from '../../core/filter/given-filter.ts'
import { matchesPath } from '../../core/filter/path-pattern.ts'
import { sinceTime } from '../../core/filter/since.ts'
import { hasStatus, statusesOf } from '../../core/filter/status-words.ts'
import { openStatuses } from '../../core/task/status-predicates.ts'
import { isoSeconds } from '../../platform/clock.ts'
import { type Among, declaredFiles, filteredEntries } from '../../state/index/filtered-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { matchingUids } from '../../state/search/find-documents.ts'
import { matchExpression, unwantedExpression } from '../../state/search/match-expression.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { derivedStatus } from '../views/task-status.ts'
import type { Workspace } from '../workspace.ts'
import { withTexts } from './open-texts.ts'
import type { Progress } from './update-search.ts'

/**
 * Reads a filter, and returns what it lets through of a ledger; null if nothing is filtered. Without a status only open
 * tasks; `all`: also finished and archived ones. In the order of filing.
 */
export function rowsFor(
  given: GivenFilter,
  { all = false, progress }: { all?: boolean; progress?: Progress },
): ((view: LedgerView) => Entry[]) | null {
  const filter = filterOf(given)
  if (filter === null) return null
  return (view) => {
    const rows = rowsAmong(view, filter, amongOf(filter, all))
    if (rows.length === 0 || filter.texts.length === 0) return rows
    const found = rowsWithTexts(view, filter, rows, progress)
    if (found.length === 0) warnOfUnknownFields(view.ws, given)
    return found
  }
}

/** What is not a field was searched for, and not found. */
function warnOfUnknownFields({ warnings }: Workspace, { text = '' }: GivenFilter): void {
  for (const name of unknownFields(text)) {
    const warning = `'${name}:' is not a field, so it was searched for as text.`
    if (!warnings.includes(warning)) warnings.push(warning)
  }
}

/** A ledger in use has far more finished tasks than open ones. */
function amongOf({ statuses }: Filter, all: boolean): Among {
  const wanted = statuses.filter(({ isNot }) => !isNot)
  const open = new Set(openStatuses())
  const isOpen = wanted.some(({ words }) => statusesOf(words).isSubsetOf(open))
  return isOpen || (wanted.length === 0 && !all) ? { kind: 'open' } : { kind: 'listed', archived: all }
}

/** Has it more than words? */
export function hasConditions({ statuses, fields, times, files }: Filter): boolean {
  return statuses.length + fields.length + times.length + files.length > 0
}

/** Those of some tasks that the filter lets through, without its words. */
export function rowsAmong(view: LedgerView, filter: Filter, among: Among): Entry[] {
  const { ws, row } = view
  const now = ws.clock()
  const times = filter.times.map(({ isNot, since }) => ({ isNot, since: isoSeconds(sinceTime(since, now)) }))
  const rows = filteredEntries(ws.state, row.lid, among, { fields: filter.fields, times })
  return rowsWithFiles(view, filter, rowsWithStatus(view, filter, rows))
}

function rowsWithStatus(view: LedgerView, { statuses }: Filter, rows: Entry[]): Entry[] {
  if (statuses.length === 0) return rows
  return rows.filter((row) => {
    const status = derivedStatus(view, row)
    return statuses.every(({ isNot, words }) => hasStatus(words, status, row) !== isNot)
  })
}

function rowsWithFiles({ ws }: LedgerView, { files }: Filter, rows: Entry[]): Entry[] {
  if (files.length === 0) return rows
  const declared = declaredFiles(ws.state, rows)
  return rows.filter(({ row }) =>
    files.every(({ isNot, pattern }) => {
      const paths = declared.get(row) ?? []
      return paths.some((path) => matchesPath(pattern, path)) !== isNot
    }),
  )
}

function rowsWithTexts(view: LedgerView, { texts }: Filter, rows: Entry[], progress?: Progress): Entry[] {
  const expression = matchExpression(texts)
  const unwanted = expression === null ? unwantedExpression(texts) : null
  return withTexts(
    view.ws,
    (textsOf) => {
      const store = textsOf(view)
      const find = (what: string) => (store === null ? new Set<string>() : matchingUids(store.db, store.lid, what))
      const found = expression === null ? null : find(expression)
      const refused = unwanted === null ? null : find(unwanted)
      return rows.filter(({ uid }) => (found?.has(uid) ?? true) && !refused?.has(uid))
    },
    progress,
  )
}
