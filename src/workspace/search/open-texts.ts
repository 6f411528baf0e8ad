import { command, sentence } from '../../core/sentence.ts'
import { refuseStoreLinks } from '../../platform/files/store-files.ts'
import { openSearchInMemory, type Search, useSearch } from '../../state/search/open-search.ts'
import { searchLedger } from '../../state/search/search-ledgers.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readOtherLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { type Progress, updateSearch } from './update-search.ts'

/** The store of texts, with those of one ledger up to date. */
export interface Texts {
  db: Search
  lid: number
}

/** The texts of a ledger as they are now; null if there is no ledger. */
export type TextsOf = (view: LedgerView) => Texts | null

const NOTHING: Progress = () => {}

/** Opens the texts of the repository for one piece of work, which may be done twice. */
export function withTexts<T>(ws: Workspace, work: (textsOf: TextsOf) => T, progress = NOTHING): T {
  const path = `${ws.repo.commonDir}/gza/search.db`
  refuseStoreLinks([path])
  const readIn = (db: Search): T =>
    work((view) => (view.row.tip === '' ? null : { db, lid: updated(view, db, progress) }))
  return useSearch(path, (db) => {
    try {
      return readIn(db)
    } catch (error) {
      if (!isUnwritable(error)) throw error
      return inMemory(readIn)
    }
  })
}

/** Where nothing can be written. */
function inMemory<T>(work: (db: Search) => T): T {
  const db = openSearchInMemory()
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Each time somebody else is ahead, the ledger is read again. */
const MOST_TRIES = 5

function updated(view: LedgerView, db: Search, progress: Progress): number {
  let current = view
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const lid = updateSearch(current, db, progress)
    if (lid !== null) return lid
    current = readOtherLedger(view.ws, view.row.ledger)
  }
  warnOfOthers(view.ws)
  return searchLedger(db, view.row.ledger)?.lid ?? -1
}

function warnOfOthers({ warnings }: Workspace): void {
  warnings.push(
    sentence`The ledger changes faster than it can be searched; repeat ${command`search`} for the newest tasks`,
  )
}
