import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { listRefs, readRef } from '../../platform/git/refs.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { countPending, findLedger, targetsOfMoves } from '../../state/index/ledger-rows.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import { inLock } from '../../state/write-lock.ts'
import { alsoFor, ledgerRef, useStateInMemory, type Workspace } from '../workspace.ts'
import type { LedgerView } from './ledger-view.ts'
import { viewLedger } from './view-ledger.ts'

/** The current ledger, for reading. Starts no git process if the index is current and refs are plain files. */
export function readLedger(ws: Workspace): LedgerView {
  const tip = readRef(ws.repo, ledgerRef(ws.ledger))
  if (tip === null) nameOtherLedgers(ws)
  const row = currentRow(ws, ws.ledger, tip)
  followMovedTasks(ws, row)
  if (row.unreadable > 0) warnOfUnreadable(ws, row)
  return viewLedger(ws, row)
}

function warnOfUnreadable(ws: Workspace, { lid }: LedgerRow): void {
  const files: typeof import('../../state/index/ledger-files.ts') = require('../../state/index/ledger-files.ts')
  for (const { path, line, why } of files.unreadableLines(ws.state, lid)) {
    ws.warnings.push(`${path} line ${line} of ${ledgerRef(ws.ledger)} cannot be read (${why}); it is kept unchanged`)
  }
}

/** Tasks that wait for one that moved away wait for what happens to it in its new ledger: so that one must be current. */
function followMovedTasks(ws: Workspace, { lid, ledger, away }: LedgerRow): void {
  if (away === 0) return
  const seen = new Set([ledger])
  const targets = targetsOfMoves(ws.state, lid)
  for (const target of targets) {
    if (seen.has(target)) continue
    seen.add(target)
    const there = currentIfReadable(ws, target)
    if (there !== null && there.away > 0) targets.push(...targetsOfMoves(ws.state, there.lid))
  }
}

/** The ledger's current row in the index; null if the ledger cannot be read. */
export function currentIfReadable(ws: Workspace, ledger: string): LedgerRow | null {
  try {
    return currentRow(ws, ledger, readRef(ws.repo, ledgerRef(ledger)))
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/** Another ledger of the same repository. */
export function readOtherLedger(ws: Workspace, ledger: string): LedgerView {
  // First the row: if the index cannot be written, another state replaces it.
  const row = currentRow(ws, ledger, readRef(ws.repo, ledgerRef(ledger)))
  return viewLedger(alsoFor(ws, { ledger }), row)
}

/** All ledgers of the repository, or some. A ledger that cannot be read is reported, and does not hide the others. */
export function readLedgers(ws: Workspace, names = ledgerNames(ws)): LedgerView[] {
  return names.flatMap((ledger) => {
    try {
      return [readOtherLedger(ws, ledger)]
    } catch (error) {
      if (!isUnreadable(error)) throw error
      ws.warnings.push(sentence`${ledgerRef(ledger)} is ignored: ${error.fact}`)
      return []
    }
  })
}

const UNREADABLE = ['LEDGER_DAMAGED', 'LEDGER_TOO_NEW', 'REF_BROKEN', 'REF_SYMBOLIC']

export function isUnreadable(error: unknown): error is UserError {
  return error instanceof UserError && UNREADABLE.includes(error.code)
}

/** The names of all ledgers of the repository. */
export function ledgerNames(ws: Pick<Workspace, 'repo'>): string[] {
  return [...listRefs(ws.repo, 'refs/tasks/').keys()].map((ref) => ref.slice('refs/tasks/'.length))
}

/**
 * A reader needs the lock only to save work for others: it does not wait for a writer that hangs, or that waits for it.
 */
const READER_WAIT_MS = 5000

function currentRow(ws: Workspace, ledger: string, tip: string | null): LedgerRow {
  const row = findLedger(ws.state, ledger)
  if (row?.tip === (tip ?? '')) return row
  if (row === null && tip === null) return emptyRow(ledger)
  try {
    const { fillFast, indexLedger }: typeof import('./index-ledger.ts') = require('./index-ledger.ts')
    const refresh = () => indexLedger(ws, ledger, readRef(ws.repo, ledgerRef(ledger)))
    const current = fillFast(ws, row, tip, () => inLock(ws.state, refresh, READER_WAIT_MS))
    if (row !== null) warnOfLoss(ws, row)
    return current
  } catch (error) {
    if (!isUnwritable(error) && (error as { code?: string }).code !== 'LEDGER_BUSY') throw error
    useStateInMemory(ws)
    return indexer().indexLedger(ws, ledger, tip)
  }
}

/**
 * Only the command that notices says it; `inbox`, `status` and `doctor` do until the tasks are back. The row is that of
 * the index before.
 */
export function warnOfLoss(ws: Workspace, { ledger, tip }: LedgerRow): void {
  const { isRecorded }: typeof import('../lost/lost-tips.ts') = require('../lost/lost-tips.ts')
  if (tip === '' || !isRecorded(ws.repo, tip)) return
  const what = `${ledgerRef(ledger)} no longer contains ${tip.slice(0, 7)}, which it had before: something other than gza moved it`
  ws.warnings.push(sentence`${what}. ${command`restore --lost`} joins the lost changes back`)
}

/** Loaded only if the index is not current, which is rare: reading ledgers takes a fifth of all code of a fast command. */
export function indexer(): typeof import('./index-ledger.ts') {
  return require('./index-ledger.ts')
}

/** A ledger that does not exist yet. */
export function emptyRow(ledger: string): LedgerRow {
  const nothing = { shards: 0, places: 0, tasks: 0, last_number: 0, unreadable: 0, foreign: 0, away: 0 }
  return { lid: -1, ledger, tip: '', ...nothing, has_parts: 0, has_artifacts: 0 }
}

/** Ledgers that a warning of this command names already need not be named in another. */
export function markAsNamed({ warnings }: Workspace, ledgers: readonly string[]): void {
  NAMED.set(warnings, new Set(ledgers))
}

const NAMED = new WeakMap<Workspace['warnings'], ReadonlySet<string>>()

function nameOtherLedgers(ws: Workspace): void {
  const { nameOthers }: typeof import('../branches/name-others.ts') = require('../branches/name-others.ts')
  nameOthers(ws, { ledgers: ledgerNames(ws), named: NAMED.get(ws.warnings), openTasksOn })
}

function openTasksOn(ws: Workspace, ledger: string): number {
  try {
    const { ws: there, row } = readOtherLedger(ws, ledger)
    return countPending(there.state, row.lid)
  } catch (error) {
    // A ledger that cannot be read is not a reason to fail if another one was requested.
    if (error instanceof UserError) return 0
    throw error
  }
}
