import type { Command, Sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { systemClock, systemNow } from '../platform/clock.ts'
import { quickStat } from '../platform/files/quick-stat.ts'
import { refuseStoreLinks, storeExists } from '../platform/files/store-files.ts'
import { findRepo, type Repo } from '../platform/git/find-repo.ts'
import type { Env } from '../platform/git/git.ts'
import { machineName } from '../platform/processes/machine.ts'
import { copyToMemory, isDamaged, leaveState, openState, reopenState, type State } from '../state/index/open-state.ts'
import type { Live } from '../state/live/open-live.ts'
import { isUnwritableStore } from '../state/store-faults.ts'
import { chooseLedger, isKnownName, nameOfLedger, noLedgerNamed } from './choose-ledger.ts'
import type { WorkspaceActor } from './find-actor.ts'

/** The context of every use case: a repository, its state store, one ledger, and the actor. */
export interface Workspace {
  repo: Repo
  /** Shared by all workspaces of the repository, so that a store is opened or replaced for all of them. */
  stores: Stores
  readonly state: State
  statePath: string
  /** Leases and runs; null if no worker ever ran here. */
  readonly live: Live | null
  livePath: string
  /** The ledger to work on. Reading it throws if none is named. */
  readonly ledger: string
  /** The same, or null on a detached HEAD, for commands about all ledgers. */
  namedLedger: string | null
  /** Found when it is first needed: commands that only read do not look at processes. */
  readonly actor: WorkspaceActor
  machine: string
  env: Env
  /** Sentences for the user that are not part of the result; the face prints them after it. */
  warnings: Sentence[]
  /** The present, in milliseconds since 1970. */
  clock: () => number
  /** The present time, in whole seconds as the ledger writes it. */
  now: () => string
  random: (digits: number) => string
  /** Called while a large ledger is read into the index: how many of its files are read. */
  indexing?: Indexing | undefined
  /** A change of tasks is made only if this one is still as its caller saw it. */
  expected?: Expected | undefined
}

type Indexing = (done: number, total: number) => void

/** What a person saw of a task before they decided about it. */
export interface Expected {
  ref: string
  version: string
}

interface Stores {
  state: State
  /** The index on disk while `state` is a copy of it in memory; null otherwise. Writers queue on the one on disk. */
  stateOnDisk: State | null
  live: Live | null
}

export interface WorkspaceOptions {
  cwd: string
  env: Env
  branch?: string
  /** If `branch` names neither a branch nor a ledger: use it nevertheless, or name this call with --create in the error. */
  unknownName?: 'use' | (() => Command) | undefined
  /** For work that starts agents: it must not start again because the index was found damaged meanwhile. */
  runsOnce?: boolean
  /** For commands about all ledgers: none needs to be named. */
  spansLedgers?: boolean
  /** Only changes a task that is still as its caller saw it. */
  expected?: Expected | undefined
  indexing?: Indexing | undefined
  /** The process ends when the work is done. */
  isLast?: boolean
}

/**
 * Opens the workspace around `cwd` for one use case, and closes it. If the index is damaged, it is replaced and the
 * work is done again.
 */
export async function useWorkspace<T>(options: WorkspaceOptions, work: (ws: Workspace) => T | Promise<T>): Promise<T> {
  const ws = await openWorkspace(options)
  try {
    return await work(ws)
  } catch (error) {
    if (isUnwritableStore(error))
      throw (await import('./not-writable.ts')).notWritable(ws.livePath, error as { code?: string })
    if (error instanceof UserError && error.code === 'TASK_NOT_FOUND')
      throw (await import('./branches/find-elsewhere.ts')).findElsewhere(ws, error)
    if (!isDamaged(error) || options.runsOnce) throw error
    renewState(ws)
    return await work(ws)
  } finally {
    closeStores(ws.stores, options.isLast ?? false)
  }
}

function closeStores({ state, stateOnDisk, live }: Stores, isLast: boolean): void {
  if (isLast) leaveState(stateOnDisk ?? state)
  else {
    state.close()
    stateOnDisk?.close()
  }
  live?.close()
}

/** Replaces a damaged index with an empty one; the next reading of a ledger fills it. */
export function renewState(ws: Workspace): void {
  useStateOnDisk(ws)
  ws.stores.state = reopenState(ws.stores.state, ws.statePath)
}

/** Continues with a copy of the index in memory, because the one on disk is busy or cannot be written. */
export function useStateInMemory({ stores }: Workspace): void {
  stores.stateOnDisk ??= stores.state
  stores.state = copyToMemory(stores.state)
}

/** Returns to the index on disk. A writer must: its lock is the queue of all writers. */
export function useStateOnDisk({ stores }: Workspace): void {
  if (stores.stateOnDisk === null) return
  stores.state.close()
  stores.state = stores.stateOnDisk
  stores.stateOnDisk = null
}

/** The same repository with another ledger, and possibly another actor. */
export function alsoFor(ws: Workspace, { ledger, actor }: { ledger: string; actor?: Workspace['actor'] }): Workspace {
  const { repo, stores, statePath, livePath, env, warnings, clock, now, random, indexing, expected } = ws
  const shared = { repo, stores, statePath, livePath, env, warnings, clock, now, random, indexing, expected }
  return workspaceOf(shared, ledger, () => actor ?? ws.actor)
}

type Shared = Omit<Workspace, 'state' | 'live' | 'ledger' | 'namedLedger' | 'actor' | 'machine'>

function workspaceOf(shared: Shared, namedLedger: string | null, readActor: () => WorkspaceActor): Workspace {
  const { repo, stores } = shared
  let actor: WorkspaceActor | undefined
  return {
    ...shared,
    namedLedger,
    get actor() {
      actor ??= readActor()
      return actor
    },
    get ledger() {
      if (namedLedger === null) throw noLedgerNamed(repo)
      return namedLedger
    },
    get state() {
      return stores.state
    },
    get live() {
      return stores.live
    },
    get machine() {
      return machineName()
    },
  }
}

async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { cwd, env, branch, unknownName, spansLedgers, indexing, expected } = options
  const repo = findRepo(cwd, env)
  // While an agent runs, and after a crash: what it has planted must not run here. An agent's own calls are its own.
  if (!env.GZA_GUARD && quickStat(`${repo.commonDir}/gza/guard/held`) !== null)
    (await import('../platform/git/settings/held-settings.ts')).respectHeld(repo)
  const statePath = `${repo.commonDir}/gza/state.db`
  const livePath = `${repo.commonDir}/gza/live.db`
  refuseStoreLinks([`${repo.commonDir}/gza`, statePath, livePath])
  const state = openState(statePath)
  const place = { repo, env, state }
  const namedLedger = chooseLedger(place, await nameOfLedger(place, branch))
  if (namedLedger === null && !spansLedgers) throw noLedgerNamed(repo)
  if (branch !== undefined && unknownName !== 'use' && !spansLedgers && !isKnownName(place, branch))
    (await import('./branches/refuse-unknown-name.ts')).refuseUnknownName(repo, branch, unknownName)
  const shared = {
    repo,
    stores: {
      state,
      stateOnDisk: null,
      live: storeExists(livePath) ? openExistingLive(livePath) : null,
    },
    statePath,
    livePath,
    env,
    warnings: [],
    clock: systemClock,
    now: systemNow,
    indexing,
    expected,
    random: (digits: number) => crypto.getRandomValues(new Uint8Array(digits / 2)).toHex(),
  }
  return workspaceOf(shared, namedLedger, () => whoCalls(repo, env, shared.stores))
}

/** Loaded when somebody asks who calls: commands that only read do not. */
function whoCalls(repo: Repo, env: Env, { live, state }: Stores): WorkspaceActor {
  const { findActor }: typeof import('./find-actor.ts') = require('./find-actor.ts')
  return findActor(repo, env, { live, state })
}

/** The store of leases and runs, made on first use. */
export function liveOf(ws: Workspace): Live {
  if (ws.stores.live !== null) return ws.stores.live
  const { openLive }: typeof import('../state/live/open-live.ts') = require('../state/live/open-live.ts')
  ws.stores.live = explained(ws.livePath, openLive)
  return ws.stores.live
}

/** Its code is loaded only if there is a store: where nobody has started an agent, there is none. */
function openExistingLive(path: string): Live | null {
  const { openLiveIfThere }: typeof import('../state/live/open-live.ts') = require('../state/live/open-live.ts')
  return explained(path, openLiveIfThere)
}

/** Unlike the index it cannot be made again: leases of those who work now may be in it. */
function explained<T>(path: string, open: (path: string) => T): T {
  try {
    return open(path)
  } catch (error) {
    if (!isDamaged(error)) throw error
    throw new UserError('LIVE_UNUSABLE', `${path} cannot be used: ${(error as Error).message}`, {
      hint: 'It records who works on what. When no gza process runs here any more, move it elsewhere.',
      cause: error,
    })
  }
}

export function ledgerRef(ledger: string): string {
  return `refs/tasks/${ledger}`
}
