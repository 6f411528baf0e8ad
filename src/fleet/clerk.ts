/**
 * The process of each worker that may write facts and offer tasks, while it holds the leases for that. It runs git, so it
 * is not the process that renews the worker's claims. It ends with its worker.
 */
import { ensureFolder, fileExists } from '../platform/files/files.ts'
import { type Env, runGit } from '../platform/git/git.ts'
import { surviveErrors } from '../platform/long-running/survive-errors.ts'
import { standardInput } from '../platform/terminal/standard-input.ts'
import { connectFleet, type FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { dropFleetLeases, holdFleetLease, type LeaseName, mayTakeLapsed } from '../state/fleet/fleet-leases.ts'
import { type Offers, openOffers } from '../state/fleet/offers.ts'
import { ANSWERS_CHANNEL, FACTS_CHANNEL } from '../state/fleet/outbox.ts'
import { useWorkspace } from '../workspace/workspace.ts'
import { offerTasks } from './dispatcher.ts'
import { type FleetPlace, penFolder, readAddress, readPlace } from './fleet-place.ts'
import { writeFacts } from './pen.ts'
import { openErrorReport } from './report-errors.ts'

interface Clerk {
  place: FleetPlace
  env: Env
  db: FleetDatabase
  offers: Offers
  holds: Record<LeaseName, boolean>
  report: (sentence: string) => void
  isEnding: () => boolean
}

const RENEW_MS = 2000
const PULSE_MS = 1000
/** Without a notice: one may be lost. */
const IDLE_MS = 1000
/** The remote is asked so often, and after each answer to a fact. */
const DISPATCH_MS = 5000
/** At most two pushes a second. */
const PUSH_PAUSE_MS = 500

export async function runClerk(
  root: string,
  { env, report }: { env: Env; report: (sentence: string) => void },
): Promise<void> {
  const place = readPlace(root)
  const errors = openErrorReport(report)
  surviveErrors(errors.unexpected)
  const db = await connectFleet({ address: readAddress(env), name: 'gza clerk', failed: errors.failed })
  const offers = await openOffers(db, place.fleet, { create: false, failed: errors.failed })
  let isEnding = false
  let wake = (): void => {}
  void (async () => {
    for await (const _ of standardInput());
    isEnding = true
    wake()
  })()
  const clerk: Clerk = {
    ...{ place, env, db, offers, report: errors.say, holds: { pen: false, dispatcher: false } },
    isEnding: () => isEnding,
  }
  const timers = [
    repeat(RENEW_MS, () => renewLeases(clerk), errors.failed),
    repeat(PULSE_MS, () => takeLapsed(clerk), errors.failed),
  ]
  let hasMoved = false
  db.listen(FACTS_CHANNEL, () => wake())
  db.listen(ANSWERS_CHANNEL, () => {
    hasMoved = true
    wake()
  })
  makePenClone(clerk)
  let offeredAt = Number.NEGATIVE_INFINITY
  while (!isEnding) {
    const { promise: woken, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const hasWritten = clerk.holds.pen && (await writeGroup(clerk).catch(errors.failedTo('write facts')))
    const isTime = hasMoved || performance.now() - offeredAt > DISPATCH_MS
    if (clerk.holds.dispatcher && isTime) {
      hasMoved = false
      offeredAt = performance.now()
      await offer(clerk).catch(errors.failedTo('offer tasks'))
    }
    await (hasWritten ? Bun.sleep(PUSH_PAUSE_MS) : Promise.race([woken, Bun.sleep(IDLE_MS)]))
  }
  for (const timer of timers) clearInterval(timer)
  await dropFleetLeases(db, place.fleet, place.machine).catch(() => {})
  await offers.close().catch(() => {})
  await db.close()
}

/** Each time after the one before has ended. */
function repeat(ms: number, work: () => Promise<void>, failed: (error: Error) => void): Timer {
  let isRunning = false
  const once = (): void => {
    if (isRunning) return
    isRunning = true
    work()
      .catch(failed)
      .finally(() => {
        isRunning = false
      })
  }
  once()
  return setInterval(once, ms)
}

async function renewLeases({ db, place, holds, isEnding }: Clerk): Promise<void> {
  for (const name of ['pen', 'dispatcher'] as const) {
    // Until the answer is here, another one may have it.
    const lease = { fleet: place.fleet, name, holder: place.machine }
    const isHeld = await holdFleetLease(db, lease).catch(() => false)
    holds[name] = isHeld && !isEnding()
  }
}

async function takeLapsed({ db, place, offers }: Clerk): Promise<void> {
  if (await mayTakeLapsed(db, place.fleet)) await offers.takeLapsed()
}

/** Without a working tree: nothing of the repository runs here. */
function makePenClone({ place, env }: Clerk): void {
  const folder = penFolder(place)
  if (fileExists(`${folder}/config`)) return
  ensureFolder(folder)
  const here = { dir: folder, env }
  runGit(here, ['init', '--quiet', '--bare'])
  runGit(here, ['config', 'remote.origin.url', place.remote])
}

function inPen<T>({ place, env }: Clerk, work: Parameters<typeof useWorkspace<T>>[1]): Promise<T> {
  const options = { cwd: penFolder(place), env, branch: place.ledger, unknownName: 'use', runsOnce: true } as const
  return useWorkspace(options, work)
}

async function writeGroup(clerk: Clerk): Promise<boolean> {
  const { db, place, report } = clerk
  return (await inPen(clerk, (ws) => writeFacts({ ws, db, fleet: place.fleet, report }))) === true
}

async function offer(clerk: Clerk): Promise<boolean> {
  const { db, place, offers } = clerk
  await inPen(clerk, (ws) => offerTasks({ ws, db, fleet: place.fleet, offers }))
  return true
}
