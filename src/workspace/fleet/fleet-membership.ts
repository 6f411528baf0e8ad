/** Whether the queue of a ledger belongs to a fleet, as the ledger itself says. */
import { FLEET_FOLDER, type FleetMembership, membershipFile, membershipOf } from '../../core/fleet/membership.ts'
import { command } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { artifactPathsOf } from '../../state/index/relations.ts'
import { changeLedger } from '../ledger/change-ledger.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'

export function readMembership({ ws, row }: LedgerView): FleetMembership | null {
  if (row.has_artifacts === 0) return null
  return membershipOf(artifactPathsOf(ws.state, row.lid, [FLEET_FOLDER]).get(FLEET_FOLDER) ?? [])
}

/** Returns the id of the fleet that the queue belongs to from now on. One that belongs to a fleet stays in it. */
export function joinFleet(ws: Workspace): string {
  return changeLedger(ws, (view) => {
    const before = readMembership(view)
    if (before !== null && before.fleet !== null) return { tasks: [], subject: '', result: before.fleet }
    const fleet = ws.random(16)
    return { tasks: [], subject: `join fleet ${fleet}`, result: fleet, artifacts: fileOf(ws, before, 'joined', fleet) }
  })
}

/** Returns the id of the fleet that the queue has left; null: it belonged to none. */
export function leaveFleet(ws: Workspace): string | null {
  return changeLedger(ws, (view) => {
    const before = readMembership(view)
    const fleet = before?.fleet ?? null
    if (fleet === null) return { tasks: [], subject: '', result: null }
    const artifacts = fileOf(ws, before, 'left', ws.random(16))
    return { tasks: [], subject: `leave fleet ${fleet}`, result: fleet, artifacts }
  })
}

function fileOf(ws: Workspace, before: FleetMembership | null, change: 'joined' | 'left', id: string) {
  const text = JSON.stringify({ change, at: ws.now(), by: ws.actor.name })
  return new Map([[membershipFile(before, change, id), `${text}\n`]])
}

/** Two places that work on one queue would do the same tasks. */
export function assertNoFleet(ws: Workspace): void {
  const membership = readMembership(readLedger(ws))
  if (membership === null || membership.fleet === null) return
  throw new UserError('IN_FLEET', 'The queue of this branch belongs to a fleet', {
    hint: command`work --fleet`,
  })
}
