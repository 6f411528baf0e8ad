/** Offers the ready tasks of the remote's ledger to the workers, in the order in which they should start. */
import { chooseOffers, mostOffers } from '../core/fleet/choose-offers.ts'
import { fenceOf } from '../core/fleet/fence.ts'
import type { Task } from '../core/task/task.ts'
import type { FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { isPaused } from '../state/fleet/fleet-leases.ts'
import { countSlots } from '../state/fleet/machines.ts'
import { type Offers, outstandingOffers, postponedTasks } from '../state/fleet/offers.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { readyEntries } from '../state/index/ready-entries.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { isFree, isOfFleet, resetToRemote } from './pen.ts'
import { fetchLedger } from './remote-calls.ts'

interface Dispatcher {
  ws: Workspace
  db: FleetDatabase
  fleet: string
  offers: Offers
}

export async function offerTasks({ ws, db, fleet, offers }: Dispatcher): Promise<void> {
  if (await isPaused(db, fleet)) return
  const slots = await countSlots(db, fleet)
  const waiting = [...(await outstandingOffers(db, fleet)).values()].filter((isTaken) => !isTaken).length
  if (mostOffers(slots) <= waiting) return
  // First what has ended, then what the ledger says: an offer ends after its last fact is in the ledger.
  const outstanding = await outstandingOffers(db, fleet)
  const paused = await postponedTasks(db, fleet)
  if ((await fetchLedger(ws.repo, ws.ledger)) !== null) return
  resetToRemote(ws)
  const view = readLedger(ws)
  if (!isOfFleet(view, fleet)) return
  const ready = readyForFleet(view)
  const chosen = chooseOffers({ ready, outstanding: new Set(outstanding.keys()), waiting, slots, paused })
  for (const offer of chosen) await offers.send(offer)
}

/** A task whose run no worker has any more is ready too: its next run takes it over. */
function* readyForFleet(view: LedgerView): Generator<Task> {
  for (const { uid } of [...readyEntries(view.ws.state, view.row.lid)]) {
    if (!isFree(view, uid)) continue
    const task = taskOf(view.ws.state, view.row.lid, uid)
    if (task?.runs.every((run) => run.ended_at !== undefined || fenceOf(run) !== null)) yield task
  }
}
