/**
 * Brings the texts to search in up to date with a ledger. Only the tasks that changed since are read. It is written piece
 * by piece: what was written before a crash stays, and two processes with the same aim share the work.
 */
import { readBlobs } from '../../ledger/read-blobs.ts'
import { artifactsInOrder, artifactsOfTasks, inSnapshot, lineSums } from '../../state/index/filtered-entries.ts'
import { writtenTasksOfRows } from '../../state/index/read-tasks.ts'
import { knownVersions, putDocuments, removeDocuments, versionsOf } from '../../state/search/documents.ts'
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
import { type ArtifactBytes, taskDocument } from './task-document.ts'

/** Called after each piece. */
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

const AT_ONCE = 500

function writeChanges(update: Update, progress: Progress): boolean {
  const { view, db, lid } = update
  const { changed, gone } = findChanges(update)
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    const some = changed.slice(at, at + AT_ONCE)
    if (!writeSome(update, some)) return false
    progress(at + some.length, changed.length)
  }
  return inLock(db, () => {
    if (isOvertaken(db, lid, view.row.tip)) return false
    removeDocuments(db, gone)
    endUpdate(db, lid, view.row.tip)
    return true
  })
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

/** False if another process has begun to bring the ledger to another commit. */
function writeSome({ view, db, lid }: Update, some: readonly Version[]): boolean {
  const { ws, row } = view
  const uids = some.map(({ uid }) => uid)
  const known = versionsOf(db, lid, uids)
  const missing = some.filter(({ uid, version }) => known.get(uid)?.version !== version)
  const artifacts = readArtifacts(view, missing)
  const documents = writtenTasksOfRows(ws.state, missing).map((task, at) =>
    taskDocument(task, missing[at]?.version ?? '', artifacts.get(task.uid) ?? []),
  )
  return inLock(db, () => {
    if (isOvertaken(db, lid, row.tip)) return false
    putDocuments(db, lid, documents)
    return true
  })
}

/** By the uids of their tasks. One git process. */
function readArtifacts({ ws, row }: LedgerView, tasks: readonly Version[]): Map<string, ArtifactBytes[]> {
  const uids = tasks.map(({ uid }) => uid)
  const artifacts = row.has_artifacts === 0 ? [] : artifactsOfTasks(ws.state, row.lid, uids)
  const blobs = readBlobs(ws.repo, [...new Set(artifacts.map(({ blob }) => blob))])
  const found = new Map<string, ArtifactBytes[]>()
  for (const { path, blob } of artifacts) {
    const [, uid = '', ...name] = path.split('/')
    const bytes = blobs.get(blob)
    if (bytes === undefined) continue
    const others = found.get(uid)
    if (others === undefined) found.set(uid, [{ name: name.join('/'), bytes }])
    else others.push({ name: name.join('/'), bytes })
  }
  return found
}
