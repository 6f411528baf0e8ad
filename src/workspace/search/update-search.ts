/**
 * Brings the texts to search in up to date with a ledger. Only the tasks that changed since are read. It is written piece
 * by piece: what was written before a crash stays, and two processes with the same aim share the work.
 */
import { artifactsInOrder, inSnapshot, lineSums } from '../../state/index/filtered-entries.ts'
import {
  knownVersions,
  putDocuments,
  removeDocuments,
  type VersionedDocument,
  versionsOf,
} from '../../state/search/documents.ts'
import type { Search } from '../../state/search/open-search.ts'
import {
  beginUpdate,
  dropOtherLedgers,
  endUpdate,
  isOvertaken,
  searchLedger,
} from '../../state/search/search-ledgers.ts'
import { inLock } from '../../state/write-lock.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { ledgerNames } from '../ledger/read-ledger.ts'
import { readDocuments } from './read-documents.ts'

/** Called whenever some were read. */
export type Progress = (done: number, total: number) => void

/** The ledger's number in the store; null if another process is bringing it to another commit. */
export function updateSearch(view: LedgerView, db: Search, progress: Progress): number | null {
  const { ledger, tip } = view.row
  const known = searchLedger(db, ledger)
  if (known?.tip === tip && known.is_whole === 1) return known.lid
  const lid = inLock(db, () => {
    dropOtherLedgers(db, ledgerNames(view.ws))
    return beginUpdate(db, ledger, tip)
  })
  return inSnapshot(view.ws.state, () => writeChanges({ view, db, lid }, progress)) ? lid : null
}

interface Update {
  view: LedgerView
  db: Search
  lid: number
}

/** Read at once, by one git process. */
const AT_ONCE = 500

/**
 * Letters that are written at once. Each piece becomes a part of the index of words, and every search looks into all
 * parts: large ones are few, and need not be merged. It must not take long, because others wait for the lock.
 */
const LETTERS_AT_ONCE = 8_000_000

function writeChanges(update: Update, progress: Progress): boolean {
  const { view, db, lid } = update
  const { changed, gone } = findChanges(update)
  let piece: VersionedDocument[] = []
  let letters = 0
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    const some = readMissing(update, changed.slice(at, at + AT_ONCE))
    piece.push(...some)
    letters += some.reduce((sum, document) => sum + lengthOf(document), 0)
    if (letters >= LETTERS_AT_ONCE) {
      if (!write(update, piece)) return false
      piece = []
      letters = 0
    }
    progress(Math.min(at + AT_ONCE, changed.length), changed.length)
  }
  if (!write(update, piece)) return false
  return inLock(db, () => {
    if (isOvertaken(db, lid, view.row.tip)) return false
    removeDocuments(db, gone)
    endUpdate(db, lid, view.row.tip)
    return true
  })
}

function lengthOf({ texts }: VersionedDocument): number {
  return Object.values(texts)
    .flat()
    .reduce((sum, { length }) => sum + length, 0)
}

/** A task as it is now. */
interface Version {
  row: number
  uid: string
  place: number
  version: string
}

/** What the store does not have as it is now, in the order of filing, and the documents of tasks that are gone. */
function findChanges({ view, db, lid }: Update): { changed: Version[]; gone: number[] } {
  const changed: Version[] = []
  const gone: number[] = []
  const known = knownVersions(db, lid)[Symbol.iterator]()
  let old = known.next()
  // Both are in the order of the uids, so that neither needs to be in memory.
  for (const now of versionsNow(view)) {
    for (; !old.done && old.value.uid < now.uid; old = known.next()) gone.push(old.value.doc)
    const isKnown = !old.done && old.value.uid === now.uid
    if (!isKnown || old.value.version !== now.version) changed.push(now)
    if (isKnown) old = known.next()
  }
  for (; !old.done; old = known.next()) gone.push(old.value.doc)
  return { changed: changed.sort((a, b) => a.place - b.place), gone }
}

function* versionsNow({ ws, row: { lid } }: LedgerView): Iterable<Version> {
  const artifacts = artifactsInOrder(ws.state, lid)[Symbol.iterator]()
  let next = artifacts.next()
  for (const { row, uid, place, sum } of lineSums(ws.state, lid)) {
    const folder = `artifacts/${uid}/`
    let version = String(sum)
    for (; !next.done && next.value.path < folder; ) next = artifacts.next()
    for (; !next.done && next.value.path.startsWith(folder); next = artifacts.next())
      version = `${Bun.hash.xxHash64(`${version} ${next.value.path} ${next.value.blob}`)}`
    yield { row, uid, place, version }
  }
  artifacts.return?.()
}

/** Those that another process has written meanwhile are left out. */
function readMissing({ view, db, lid }: Update, some: readonly Version[]): VersionedDocument[] {
  const uids = some.map(({ uid }) => uid)
  const known = versionsOf(db, lid, uids)
  const missing = some.filter(({ uid, version }) => known.get(uid)?.version !== version)
  return readDocuments(view, missing).map((document, at) => ({ ...document, version: missing[at]?.version ?? '' }))
}

/** False if another process has begun to bring the ledger to another commit. */
function write({ view, db, lid }: Update, documents: readonly VersionedDocument[]): boolean {
  return inLock(db, () => {
    if (isOvertaken(db, lid, view.row.tip)) return false
    putDocuments(db, lid, documents)
    return true
  })
}
