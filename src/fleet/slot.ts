/** One slot of a worker: a clone, and at most one run in it. */

import { ownExecutable } from '../platform/files/scripts.ts'
import { findRepo, type Repo } from '../platform/git/find-repo.ts'
import type { Env } from '../platform/git/git.ts'
import { readRef } from '../platform/git/refs.ts'
import { type PipedChild, startPiped } from '../platform/long-running/piped-child.ts'
import { findProcess, signalProcess } from '../platform/processes/process-table.ts'
import type { FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { hideRun, nameRun, showRun } from '../state/fleet/machines.ts'
import { type Offers, postpone } from '../state/fleet/offers.ts'
import { askForFact, type Claim, readAnswer } from '../state/fleet/outbox.ts'
import type { FactReply, FactRequest } from '../workspace/fleet/record-in-fleet.ts'
import { FOLLOWED } from '../workspace/fleet/record-in-fleet.ts'
import { RUN_TOKEN } from './fact-server.ts'
import { type FleetPlace, withoutAddress } from './fleet-place.ts'
import type { FactPayload, PenAnswer } from './pen.ts'
import { dropWork, fetchForRun, fetchLedger, pushWork, type RemoteFailure } from './remote-calls.ts'
import type { OfferEnd, OfferToRun } from './run-offer.ts'
import { WATCHDOG } from './watchdog.ts'

/** What all slots of a worker use. */
export interface SlotHost {
  place: FleetPlace
  env: Env
  db: FleetDatabase
  offers: Offers
  /** A promise that ends at the next answer to a fact. */
  nextAnswer: () => Promise<void>
  report: (sentence: string) => void
  isCancelled: () => boolean
}

export interface Slot {
  number: number
  folder: string
  /** Null: it is free. */
  work: SlotWork | null
}

interface SlotWork {
  claim: Claim
  token: string
  /** Its claim is lost. Nothing of its run counts any more. */
  isLost: boolean
  child: PipedChild | null
  watchdog: PipedChild | null
  run: string | null
  /** How many changes besides start and end it has asked for. */
  changes: number
  /** The commit that is under refs/gza/runs already. */
  pushed: string | null
}

const RETRY_MS = 1000
const SIGN_MS = 1000

/** Does one offer, from the fetch to the end of the claim. */
export async function doOffer(host: SlotHost, slot: Slot, claim: Claim, token: string): Promise<void> {
  const { db, offers, place, report } = host
  const work: SlotWork = {
    ...{ claim, token, isLost: false, child: null, watchdog: null, run: null, changes: 0, pushed: null },
  }
  slot.work = work
  const shown = { offer: claim.offer, claim: claim.claim, uid: claim.uid, machine: place.machine }
  await showRun(db, place.fleet, shown).catch(() => {})
  const repo = findRepo(slot.folder, host.env)
  await untilDone(host, work, () => fetchForRun(repo, place.ledger))
  const end = isOver(host, work) ? null : await runChild(host, slot, work)
  if (end?.result === 'later') {
    report(`${nameOf(claim)} cannot start here now: ${end.why}`)
    await postpone(db, place.fleet, claim.uid, end.seconds).catch(() => {})
  }
  for (const { run, head } of end?.kept ?? []) await untilDone(host, work, () => pushWork(repo, run, head))
  while (!work.isLost) {
    try {
      await offers.complete(claim)
      break
    } catch {
      await Bun.sleep(RETRY_MS)
    }
  }
  slot.work = null
  await hideRun(db, place.fleet, claim.offer, claim.claim).catch(() => {})
}

function isOver(host: SlotHost, work: SlotWork): boolean {
  return work.isLost || host.isCancelled()
}

function nameOf({ uid }: Claim): string {
  return `task-${uid.slice(0, 8)}`
}

/** The claim has another holder, or may have one: no process of the run may live on. */
export function loseClaim({ work }: Slot): void {
  if (work === null || work.isLost) return
  work.isLost = true
  work.watchdog?.write(`${WATCHDOG.end}\n`)
}

/** The run records itself as interrupted. */
export function stopRun({ work }: Slot): void {
  const entry = work?.child ? findProcess(work.child.pid) : null
  if (entry !== null) signalProcess(entry, 'SIGTERM')
}

/** Why the remote did not do it is reported once. */
async function untilDone(host: SlotHost, work: SlotWork, ask: () => Promise<RemoteFailure>): Promise<boolean> {
  for (let tries = 0; !work.isLost; tries++) {
    const failure = await ask()
    if (failure === null) return true
    if (tries === 0) host.report(`${nameOf(work.claim)} waits for the remote: ${failure}`)
    if (work.child === null && host.isCancelled()) return false
    await Bun.sleep(RETRY_MS)
  }
  return false
}

async function runChild(host: SlotHost, slot: Slot, work: SlotWork): Promise<OfferEnd | null> {
  const { place, env, report } = host
  const { uid, generation, seq, claim } = work.claim
  const offer: OfferToRun = { uid, generation, seq, claim, trustsBase: place.trustsBase }
  let end: OfferEnd | null = null
  const child = startPiped({
    argv: [ownExecutable(), '__fleet', 'run', JSON.stringify(offer), '--branch', place.ledger],
    cwd: slot.folder,
    env: { ...withoutAddress(env), [RUN_TOKEN]: work.token },
    printed: (line, output) => {
      if (output === 'out') end = JSON.parse(line) as OfferEnd
      else report(line)
    },
  })
  work.child = child
  work.watchdog = startPiped({
    argv: [ownExecutable(), '__fleet', 'watchdog', String(child.pid)],
    cwd: place.root,
    env: withoutAddress(env),
    printed: (line) => report(line),
  })
  const signs = setInterval(() => work.watchdog?.write('\n'), SIGN_MS)
  if (isOver(host, work)) loseOrStop(slot, work)
  const code = await child.exited
  clearInterval(signs)
  // What is lost is ended by the watchdog, whose end shows that nothing is left.
  if (!work.isLost) work.watchdog.write(`${WATCHDOG.done}\n`)
  work.watchdog.end()
  await work.watchdog.exited
  if (end === null && !work.isLost) report(`The run of ${nameOf(work.claim)} ended with ${code ?? 'a signal'}`)
  return end
}

function loseOrStop(slot: Slot, work: SlotWork): void {
  if (work.isLost) work.watchdog?.write(`${WATCHDOG.end}\n`)
  else stopRun(slot)
}

/**
 * Has a fact of the slot's run written. The work goes to the remote first; then the fact, only while the claim is held;
 * and the reply comes when the ledger here can follow.
 */
export async function recordFact(
  host: SlotHost,
  { work, folder }: Slot,
  { token, request }: { token: string; request: FactRequest },
): Promise<FactReply> {
  if (work === null || work.isLost) return { refused: 'its claim is lost' }
  const isOwn = request.kind === 'change' || token === work.token
  if (!isOwn || request.uid !== work.claim.uid) return { refused: 'it does not come from the run itself' }
  const { db, place } = host
  const repo = findRepo(folder, host.env)
  const payload = payloadOf(repo, work, request)
  if (request.kind !== 'started' && !(await publishWork(host, work, repo, request))) return { refused: LOST }
  const n = request.kind === 'change' ? ++work.changes : 0
  const fact = { run: request.run, kind: request.kind, n }
  const answer = await askPen(host, work, { ...fact, payload })
  if (answer === null) return { refused: LOST }
  if ('refused' in answer) return answer
  if (!(await untilDone(host, work, () => fetchLedger(repo, place.ledger)))) return { refused: LOST }
  if (request.kind === 'started') {
    work.run = request.run
    work.watchdog?.write(`${WATCHDOG.run}${request.run}\n`)
    void nameRun(db, place.fleet, { ...work.claim, run: request.run }).catch(() => {})
  }
  if (request.kind === 'ended' && work.pushed !== null) void dropWork(repo, request.run).catch(() => {})
  return { tip: readRef(repo, FOLLOWED + place.ledger) ?? '' }
}

const LOST = 'its claim is lost'

function payloadOf(repo: Repo, { claim }: SlotWork, request: FactRequest): FactPayload {
  const { kind: _kind, run: _run, work, ...rest } = request
  // What was fetched when the run began: nothing else moves these refs here.
  const from = work === null ? null : readRef(repo, `refs/remotes/origin/${work.branch}`)
  return { ...rest, generation: claim.generation, work: work === null ? null : { ...work, from } }
}

async function publishWork(host: SlotHost, work: SlotWork, repo: Repo, request: FactRequest): Promise<boolean> {
  const head = request.work?.head ?? null
  if (head === null || head === work.pushed) return !work.isLost
  if (!(await untilDone(host, work, () => pushWork(repo, request.run, head)))) return false
  work.pushed = head
  return true
}

/** Null: the claim is lost. No answer is no permission. */
async function askPen(
  { db, place, nextAnswer }: SlotHost,
  work: SlotWork,
  fact: Parameters<typeof askForFact<FactPayload>>[3],
): Promise<PenAnswer | null> {
  for (let isAsked = false; !work.isLost; ) {
    const woken = nextAnswer()
    try {
      if (!isAsked && !(await askForFact(db, place.fleet, work.claim, fact))) {
        work.isLost = true
        work.watchdog?.write(`${WATCHDOG.end}\n`)
        return null
      }
      isAsked = true
      const answer = await readAnswer<PenAnswer>(db, place.fleet, fact)
      if (answer !== null) return answer
    } catch {
      // The database is away. The claim is renewed or lost meanwhile.
    }
    await Promise.race([woken, Bun.sleep(RETRY_MS)])
  }
  return null
}
