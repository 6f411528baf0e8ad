/**
 * Every change of tasks goes through `changeLedger`: lock, read, decide, commit, swap, index. Only sync (fast-forward),
 * a fleet's worker and pen (to the remote's ledger), prune, archiving and the watchdog move a ledger's ref directly.
 */

import type { FileContent } from '../../core/ledger/import-stream.ts'
import type { Found } from '../../core/ledger/task-files.ts'
import { LAST_NUMBER, type Task } from '../../core/task/task.ts'
import { numbersOf } from '../../core/task/task-ids.ts'
import { noteOwnStep } from '../../ledger/verify/own-steps.ts'
import { lookAtRef } from '../../ledger/verify/watched-ledgers.ts'
import { quickStat } from '../../platform/files/quick-stat.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { type RefUpdate, readRef } from '../../platform/git/refs.ts'
import { findLedger } from '../../state/index/ledger-rows.ts'
import { isDamaged } from '../../state/index/open-state.ts'
import { assertWritable, indexChange, indexTasks } from '../../state/index/write-entries.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import { inLock } from '../../state/write-lock.ts'
import { notWritable } from '../not-writable.ts'
import { type Expected, ledgerRef, renewState, useStateOnDisk, type Workspace } from '../workspace.ts'
import { findWriteSettings, keepWriteSettings } from '../write-settings.ts'
import { ledgerFileChanges } from './ledger-file-changes.ts'
import type { LedgerView } from './ledger-view.ts'
import { indexer, warnOfLoss } from './read-ledger.ts'
import { type LedgerMove, swapLedgers } from './swap-ledgers.ts'
import { viewLedger } from './view-ledger.ts'
import { writeLedgerCommit } from './write-ledger-commit.ts'

/** What a join found beside tasks is kept too: other spellings, and lines that cannot be read. */
export interface Decision<T> extends Found {
  /** The tasks as they should be; an empty list leaves the ledger unchanged. */
  tasks: readonly Task[]
  subject: string
  result: T
  /** Files next to the tasks: agents' texts, and those that a join found. */
  artifacts?: ReadonlyMap<string, FileContent>
  undoes?: string
  /**
   * Refs that move with the ledger, all or none. Git moves them one after the other: if it is killed meanwhile, those of
   * `movesBefore` have moved without the ledger, or the ledger without those of `moves`.
   */
  movesBefore?: readonly RefUpdate[]
  moves?: readonly RefUpdate[]
  /** Further parents of the commit: what a join brought in. */
  joined?: readonly string[]
}

/** How often a ref that others move meanwhile is tried again. Each try decides anew on the current state. */
const SWAP_TRIES = 20

/**
 * Runs `decide` on the current ledger and records its decision as one commit. `decide` must be free of side effects: it
 * runs again if a process that does not take gza's lock moved the ledger meanwhile. It may only add warnings: those of a
 * decision that was not recorded are removed.
 */
export function changeLedger<T>(ws: Workspace, decide: (view: LedgerView) => Decision<T>): T {
  if (isFleetClone(ws)) {
    const { recordInFleet }: typeof import('../fleet/record-in-fleet.ts') = require('../fleet/record-in-fleet.ts')
    return recordInFleet(ws, decide)
  }
  const written: { result: T }[] = []
  lookBeforeLock(ws)
  try {
    return inLock(ws.state, () => {
      assertWritable(ws.state)
      const { result, index } = changeLocked(ws, decide)
      written.push({ result })
      index()
      keepWriteSettings(ws.repo, ws.state)
      return result
    })
  } catch (error) {
    const [done] = written
    if (done && (isDamaged(error) || isUnwritable(error))) return leaveIndexBehind(ws, error, done.result)
    throw isUnwritable(error) ? notWritable(ws.statePath, error as { code?: string }) : error
  }
}

/** In the clone of a fleet's worker a change reaches the remote's ledger first. */
export function isFleetClone({ repo }: Workspace): boolean {
  return quickStat(`${repo.commonDir}/gza/fleet-clone`) !== null
}

/** Git is asked for settings and identity before others have to wait for the lock. */
export function lookBeforeLock(ws: Workspace): void {
  findWriteSettings(ws.repo, ws.state)
  identityOf(ws.repo)
  lookAtRef(ws.repo, ledgerRef(ws.ledger))
  useStateOnDisk(ws)
}

/** The ledger has the change, only the index could not follow: an error now would cause the change to be made twice. */
function leaveIndexBehind<T>(ws: Workspace, error: unknown, result: T): T {
  if (isDamaged(error)) renewState(ws)
  return result
}

/** A change that is in the ledger, and how to update the index. */
interface Written<T> {
  result: T
  index: () => void
}

function changeLocked<T>(ws: Workspace, decide: (view: LedgerView) => Decision<T>): Written<T> {
  for (let tries = 0; tries < SWAP_TRIES; tries++) {
    const outcome = attempt(ws, decide)
    if (outcome !== null) return outcome
  }
  throw refused().ledgerBusy(ledgerRef(ws.ledger), SWAP_TRIES)
}

/** Null if another process moved the ledger meanwhile. */
function attempt<T>(ws: Workspace, decide: (view: LedgerView) => Decision<T>): Written<T> | null {
  const planned = planChange(ws, decide)
  if (planned === null || planned.moves.length === 0 || swapLedgers(ws, planned.moves, planned.message)) return planned
  planned.forget()
  return null
}

/** A decision whose commit is written, and which refs move for it; none if nothing is to be done. */
export interface PlannedChange<T> extends Written<T> {
  /** Where the ledger is, and the new commit. */
  from: string | null
  to: string
  moves: readonly LedgerMove[]
  message: string
  /** It was not made: another process has moved the ledger. */
  forget: () => void
}

/** The caller holds the lock. Null: the ledger is another one now. */
export function planChange<T>(ws: Workspace, decide: (view: LedgerView) => Decision<T>): PlannedChange<T> | null {
  const ref = ledgerRef(ws.ledger)
  const tip = readRef(ws.repo, ref) ?? readAgain(ws, ref)
  const known = findLedger(ws.state, ws.ledger)
  const isCurrent = known !== null && known.tip === (tip ?? '')
  const row = isCurrent ? known : indexer().indexLedger(ws, ws.ledger, tip)
  if (known !== null && known.tip !== row.tip) warnOfLoss(ws, known)
  const before = ws.warnings.length
  const view = viewLedger(ws, row)
  if (ws.expected !== undefined) assertExpected(view)
  const decision = decide(view)
  const added = ws.warnings.length - before
  const forget = () => void ws.warnings.splice(before, added)
  const artifacts = decision.artifacts ?? new Map()
  const { result, subject, undoes } = decision
  const message = `gza: ${subject}`
  if (decision.tasks.length === 0 && artifacts.size === 0 && !decision.joined)
    return { result, index: () => {}, from: tip, to: tip ?? '', moves: [], message, forget }
  if (tip === null && archiveOthers(ws, row)) {
    forget()
    return null
  }
  refuseNumbers(decision.tasks)
  const plan = ledgerFileChanges(ws.state, row, decision.tasks, decision)
  const commit = writeLedgerCommit(ws, {
    parents: [...(tip === null ? [] : [tip]), ...(decision.joined ?? [])],
    files: new Map<string, FileContent | null>([...plan.files, ...artifacts]),
    subject,
    undoes,
  })
  // Before the ref moves: whoever sees the move knows whose it is.
  if (tip !== null) noteOwnStep(ws.repo, tip, commit)
  const step = { ref, to: commit, from: tip, isOneStep: decision.joined === undefined }
  const moves = [...(decision.movesBefore ?? []), step, ...(decision.moves ?? [])]
  const index = () => {
    if (artifacts.size === 0 && !decision.joined && plan.foreign !== null)
      return indexChange(ws.state, row, plan, commit)
    indexTasks(ws.state, row.lid, plan.placed)
    indexer().indexLedger(ws, ws.ledger, commit)
  }
  return { result, index, from: tip, to: commit, moves, message, forget }
}

/** Loaded only for the first task of a ledger. */
function archiveOthers(ws: Workspace, row: LedgerView['row']): boolean {
  const {
    archiveConflictingLedgers,
  }: typeof import('./archive-conflicting-ledgers.ts') = require('./archive-conflicting-ledgers.ts')
  return archiveConflictingLedgers(ws, row)
}

/** Loaded only for those who decide about what they saw before. */
function assertExpected(view: LedgerView): void {
  const { assertUnchanged }: typeof import('../expected-version.ts') = require('../expected-version.ts')
  assertUnchanged(view, view.ws.expected as Expected)
}

/** A ledger that was deleted since the last look is put back, if it is watched. */
function readAgain({ repo }: Workspace, ref: string): string | null {
  lookAtRef(repo, ref)
  return readRef(repo, ref)
}

/** A line with a greater number would be written, but never be read again. */
function refuseNumbers(tasks: readonly Task[]): void {
  const beyond = tasks.find((task) => numbersOf(task).some((number) => number > LAST_NUMBER))
  if (beyond !== undefined) throw refused().numbersExhausted(beyond)
}

function refused(): typeof import('../refused-changes.ts') {
  return require('../refused-changes.ts')
}
