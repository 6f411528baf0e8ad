/** What people see of a fleet, and how they steer it. */

import { command } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { titleOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { isoSeconds } from '../platform/clock.ts'
import type { FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { isPaused, setPaused } from '../state/fleet/fleet-leases.ts'
import { askToDrain, listFleetRuns, listMachines, removeMachine } from '../state/fleet/machines.ts'
import { outstandingOffers } from '../state/fleet/offers.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { readMembership } from '../workspace/fleet/fleet-membership.ts'
import { entry } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { assertProtocol } from './assert-protocol.ts'
import { inDatabase } from './set-up-fleet.ts'

export interface FleetStatus {
  fleet: string
  ledger: string
  is_paused: boolean
  machines: ShownMachine[]
  runs: ShownFleetRun[]
  /** How many offers no worker has taken yet. */
  waiting: number
}

export interface ShownMachine {
  id: string
  host: string
  version: string
  workers: number
  busy: number
  /** `gone`: it has not shown a sign of life for ten seconds. */
  state: 'working' | 'draining' | 'gone'
  seen_at: string
}

export interface ShownFleetRun {
  number: number
  id: string
  title: string
  host: string
  machine: string
  /** Null until its start is in the ledger. */
  run: string | null
  started_at: string
}

export function readFleetStatus(ws: Workspace): Promise<FleetStatus> {
  const fleet = fleetOf(ws)
  return inDatabase(ws, async (db) => {
    await assertProtocol(db)
    const machines = await listMachines(db, fleet)
    const hosts = new Map(machines.map(({ id, host }) => [id, host]))
    const offers = await outstandingOffers(db, fleet)
    return {
      ...{ fleet, ledger: ws.ledger, is_paused: await isPaused(db, fleet) },
      machines: machines.map(({ id, host, version, slots, busy, draining, is_alive, seen }) => ({
        ...{ id, host, version, workers: slots, busy },
        state: is_alive ? (draining ? 'draining' : 'working') : 'gone',
        seen_at: isoSeconds(seen),
      })),
      runs: await runsOf(ws, db, fleet, hosts),
      waiting: [...offers.values()].filter((isTaken) => !isTaken).length,
    }
  })
}

async function runsOf(
  ws: Workspace,
  db: FleetDatabase,
  fleet: string,
  hosts: ReadonlyMap<string, string>,
): Promise<ShownFleetRun[]> {
  const view = readLedger(ws)
  return (await listFleetRuns(db, fleet)).map(({ uid, machine, run, started_at }) => {
    const task = taskOf(ws.state, view.row.lid, uid)
    const { number = 0, id = `task-${uid.slice(0, 12)}` } = entry(view, uid) ?? {}
    return {
      ...{ number, id, title: task === null ? '' : titleOf(task), host: hosts.get(machine) ?? machine, machine, run },
      started_at: isoSeconds(started_at),
    }
  })
}

export interface FleetChange {
  fleet: string
  done: 'paused' | 'resumed' | 'draining' | 'removed'
  /** The machines that it concerns; for a pause all. */
  machines: string[]
}

export type FleetAction = 'pause' | 'resume' | 'drain' | 'remove'

/** A worker obeys with its next sign of life. */
export function steerFleet(ws: Workspace, action: FleetAction, machine: string | null): Promise<FleetChange> {
  assertAllowed('fleet', ws.actor)
  const fleet = fleetOf(ws)
  return inDatabase(ws, async (db) => {
    await assertProtocol(db)
    const known = await listMachines(db, fleet)
    const named = known.filter(({ id, host }) => machine === null || id === machine || host === machine)
    if (machine !== null && named.length === 0) throw unknownMachine(machine)
    const machines = named.map(({ id }) => id)
    if (action === 'pause' || action === 'resume') await setPaused(db, fleet, action === 'pause')
    if (action === 'drain') for (const id of machines) await askToDrain(db, fleet, id)
    // One that lives finishes what it does, and removes itself.
    if (action === 'remove')
      for (const { id, is_alive } of named) await (is_alive ? askToDrain : removeMachine)(db, fleet, id)
    return { fleet, done: DONE[action], machines }
  })
}

const DONE = { pause: 'paused', resume: 'resumed', drain: 'draining', remove: 'removed' } as const

function unknownMachine(machine: string): UserError {
  return new UserError('NO_MACHINE', `The fleet has no machine '${machine}'`, { hint: command`fleet status` })
}

function fleetOf(ws: Workspace): string {
  const fleet = readMembership(readLedger(ws))?.fleet ?? null
  if (fleet !== null) return fleet
  throw new UserError('NOT_IN_FLEET', `The queue of ${ws.ledger} does not belong to a fleet`, {
    hint: command`fleet init`,
  })
}
