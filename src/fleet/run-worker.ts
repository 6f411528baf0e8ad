/**
 * `gza fleet worker`: takes offers, and runs each in a process of its own. This process renews the claims, so it never
 * waits for git.
 */
import { join } from 'node:path'
import { command } from '../core/sentence.ts'
import { assertAllowed, detectActor } from '../core/task/agent-mode.ts'
import { UserError } from '../core/user-error.ts'
import { ownExecutable } from '../platform/files/scripts.ts'
import { findRepo } from '../platform/git/find-repo.ts'
import type { Env } from '../platform/git/git.ts'
import { readBranch } from '../platform/git/refs.ts'
import { type PipedChild, startPiped } from '../platform/long-running/piped-child.ts'
import { surviveErrors } from '../platform/long-running/survive-errors.ts'
import { machineName } from '../platform/processes/machine.ts'
import { type Connection, connectTo } from '../platform/sockets/unix-socket.ts'
import { connectFleet, type FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { isPaused } from '../state/fleet/fleet-leases.ts'
import { addMachine, removeMachine, showMachine } from '../state/fleet/machines.ts'
import { openOffers } from '../state/fleet/offers.ts'
import { ANSWERS_CHANNEL } from '../state/fleet/outbox.ts'
import { readMembership } from '../workspace/fleet/fleet-membership.ts'
import { followFleet } from '../workspace/fleet/record-in-fleet.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { useWorkspace } from '../workspace/workspace.ts'
import { assertProtocol } from './assert-protocol.ts'
import { markClone, serveFacts } from './fact-server.ts'
import { type FleetPlace, openRoot, readAddress, readMachine, slotFolder, writePlace } from './fleet-place.ts'
import { cloneInto, fetchForRun } from './remote-calls.ts'
import { openErrorReport } from './report-errors.ts'
import { doOffer, loseClaim, recordFact, type Slot, type SlotHost, stopRun } from './slot.ts'

export interface WorkerOptions {
  cwd: string
  env: Env
  remote: string
  /** Null: that of the remote's HEAD. */
  ledger: string | null
  workers: number
  trustsBase: boolean
  version: string
  report: (sentence: string) => void
  /** Aborted: take nothing new. */
  stop: AbortSignal
  /** Aborted: end the runs too. */
  cancel: AbortSignal
}

export interface WorkerEnd {
  machine: string
  fleet: string
  /** How many offers it has done. */
  offers: number
}

const RENEW_MS = 3000
const SHOW_MS = 2000
const POLL_MS = 1000

export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { env, report, stop, cancel } = options
  assertAllowed(
    'fleet',
    detectActor(env, () => ''),
  )
  const address = readAddress(env)
  const errors = openErrorReport(report)
  surviveErrors(errors.unexpected)
  await refuseSecondWorker(openRoot(env, options.remote, options.ledger ?? ''))
  const place = await preparePlace(options)
  const db = await connectFleet({ address, name: 'gza worker', failed: errors.failed })
  try {
    await assertProtocol(db)
    const offers = await openOffers(db, place.fleet, { create: false, failed: errors.failed })
    const slots = await openSlots(options, place)
    const answers = openAnswers(db)
    const host: SlotHost = {
      ...{ place, env, db, offers, report, nextAnswer: answers.next, isCancelled: () => cancel.aborted },
    }
    const facts = serveFacts(socketOf(place), async ({ slot, token, request }) => {
      const found = slots.find(({ number }) => number === slot)
      return found === undefined ? { refused: 'there is no such slot' } : recordFact(host, found, { token, request })
    })
    const { machine: id, fleet } = place
    await addSelf(db, place, slots.length)
    const state = { isDraining: false, isPaused: false, done: 0 }
    const clerk = startClerk(host, () => stop.aborted && slots.every(({ work }) => work === null))
    cancel.addEventListener('abort', () => slots.forEach(stopRun))
    const timers = [
      setInterval(() => void renewClaims(host, slots), RENEW_MS),
      setInterval(() => void showSelf(host, slots, state), SHOW_MS),
    ]
    report(`Works for the fleet ${fleet} as ${machineName()} (${id}), ${slots.length} at once`)
    const isStopping = () => stop.aborted || state.isDraining
    await Promise.all(slots.map((slot) => fillSlot(host, slot, { state, isStopping })))
    for (const timer of timers) clearInterval(timer)
    await clerk.close()
    facts.stop()
    await removeMachine(db, fleet, id).catch(() => {})
    await offers.close().catch(() => {})
    return { machine: id, fleet, offers: state.done }
  } finally {
    await db.close()
  }
}

/** Two workers would use the same clones. */
async function refuseSecondWorker(root: string): Promise<void> {
  const quiet = { opened: (peer: Connection) => peer.close(), received() {}, drained() {}, closed() {} }
  if ((await connectTo(socketOf({ root }), quiet)) === 'nobody') return
  throw new UserError('WORKER_RUNS', 'A worker of this queue already runs here', {
    hint: 'More runs at once: end it and start it again with a greater --workers.',
  })
}

interface WorkerState {
  isDraining: boolean
  isPaused: boolean
  done: number
}

/** Its clone tells which fleet it is. */
async function preparePlace(options: WorkerOptions): Promise<FleetPlace> {
  const { env, remote, trustsBase, version } = options
  const root = openRoot(env, remote, options.ledger ?? '')
  const first = slotFolder({ root }, 1)
  const cloned = await cloneInto(env, first, options.cwd, remote)
  if (cloned !== null) throw unreachable(remote, cloned)
  const ledger = options.ledger ?? readBranch(findRepo(first, env)) ?? 'main'
  await prepareClone(options, first, ledger)
  const fleet = await useWorkspace({ cwd: first, env, branch: ledger, unknownName: 'use' }, (ws) => {
    followFleet(ws)
    return readMembership(readLedger(ws))?.fleet ?? null
  })
  if (fleet === null)
    throw new UserError('NOT_IN_FLEET', `The queue of ${ledger} on ${remote} does not belong to a fleet`, {
      hint: command`fleet init`,
    })
  const place = { root, remote, ledger, fleet, trustsBase, version, machine: readMachine(root, randomDigits(8)) }
  writePlace(place)
  return place
}

async function prepareClone({ env, cwd, remote }: WorkerOptions, folder: string, ledger: string): Promise<void> {
  const failure = (await cloneInto(env, folder, cwd, remote)) ?? (await fetchForRun(findRepo(folder, env), ledger))
  if (failure !== null) throw unreachable(remote, failure)
}

function unreachable(remote: string, failure: string): UserError {
  return new UserError('REMOTE_UNREACHABLE', `Could not fetch from ${remote}: ${failure}`, {
    hint: 'Check that git clone works here without a question.',
  })
}

async function openSlots(options: WorkerOptions, place: FleetPlace): Promise<Slot[]> {
  const slots: Slot[] = []
  for (let number = 1; number <= options.workers; number++) {
    const folder = slotFolder(place, number)
    if (number > 1) await prepareClone(options, folder, place.ledger)
    markClone(findRepo(folder, options.env), socketOf(place), number)
    slots.push({ number, folder, work: null })
  }
  return slots
}

function socketOf({ root }: Pick<FleetPlace, 'root'>): string {
  return join(root, 'facts')
}

function openAnswers(db: FleetDatabase): { next: () => Promise<void> } {
  let waiting = Promise.withResolvers<void>()
  db.listen(ANSWERS_CHANNEL, () => {
    waiting.resolve()
    waiting = Promise.withResolvers<void>()
  })
  return { next: () => waiting.promise }
}

/** Starts it again if it ends. */
function startClerk({ place, env, report }: SlotHost, isOver: () => boolean): { close(): Promise<void> } {
  let current: PipedChild | null = null
  let isClosing = false
  const running = (async () => {
    while (!isClosing) {
      current = startPiped({
        argv: [ownExecutable(), '__fleet', 'clerk', place.root],
        cwd: place.root,
        env,
        printed: (line) => report(line),
      })
      await current.exited
      if (!isClosing && !isOver()) await Bun.sleep(POLL_MS)
    }
  })()
  return {
    close: async () => {
      isClosing = true
      current?.end()
      await running
    },
  }
}

async function renewClaims({ offers }: SlotHost, slots: readonly Slot[]): Promise<void> {
  await Promise.all(
    slots.map(async (slot) => {
      const { work } = slot
      if (work === null || work.isLost) return
      // Without an answer nobody else can have it either, or this is found out later.
      const isHeld = await offers.renew(work.claim).catch(() => true)
      if (!isHeld && slot.work === work) loseClaim(slot)
    }),
  )
}

async function showSelf({ db, place }: SlotHost, slots: readonly Slot[], state: WorkerState): Promise<void> {
  try {
    const busy = slots.filter(({ work }) => work !== null).length
    const known = await showMachine(db, place.fleet, { id: place.machine, busy })
    // The database was lost and made again.
    if (known === null) await addSelf(db, place, slots.length)
    state.isDraining ||= known?.draining === true
    state.isPaused = await isPaused(db, place.fleet)
  } catch {
    // The next time.
  }
}

function addSelf(db: FleetDatabase, { fleet, machine: id, version }: FleetPlace, slots: number): Promise<void> {
  return addMachine(db, fleet, { id, host: machineName(), version, slots })
}

interface SlotLoop {
  state: WorkerState
  isStopping: () => boolean
}

async function fillSlot(host: SlotHost, slot: Slot, { state, isStopping }: SlotLoop): Promise<void> {
  while (!isStopping()) {
    const claim = state.isPaused ? null : await host.offers.take().catch(() => null)
    if (claim === null) {
      await Bun.sleep(POLL_MS)
      continue
    }
    await doOffer(host, slot, claim, randomDigits(32))
    state.done += 1
  }
}

function randomDigits(digits: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(digits / 2))).toString('hex')
}
