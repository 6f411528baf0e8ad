/**
 * The claims of a client that is connected to `gza mcp`. They are renewed while it is, and stay a while longer for the next
 * connection of the same client in the same working tree.
 */
import type { Task } from '../../core/task/task.ts'
import { isoSeconds } from '../../platform/clock.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import {
  endConnection,
  type NewConnection,
  noteConnection,
  openClaims,
  takeOverClaims,
} from '../../state/live/connections.ts'
import { type Lease, renewLease } from '../../state/live/leases.ts'
import { findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { alsoFor, liveOf, type Workspace } from '../../workspace/workspace.ts'
import { thisWorker } from '../new-run.ts'
import { renewInLedger } from './renew-claim.ts'

/** How long a claim stays after its client was last seen. */
export const MINUTES_AFTER_END = 10

/** Other clones see a claim for longer, because each renewal there is a commit. */
const MINUTES_IN_LEDGER = 60

export function untilInLedger(ws: Workspace): string {
  return inMinutes(ws, MINUTES_IN_LEDGER)
}

/** The workspace of a client that is connected; in a run, the run is who it is. Takes over what an earlier one left. */
export function asConnection(ws: Workspace, connection: string): Workspace {
  if (ws.actor.inRun !== undefined) return ws
  const connected = alsoFor(ws, { ledger: ws.ledger, actor: { ...ws.actor, connection } })
  if (connected.live !== null) takeOverClaims(connected.live, ownConnection(connected, connection), connected.now())
  renewIfDue(connected)
  return connected
}

/** Records that the connection of this workspace, if it has one, is alive. */
export function showConnection(ws: Workspace): void {
  const { connection } = ws.actor
  if (connection !== undefined) noteConnection(liveOf(ws), ownConnection(ws, connection), ws.now())
}

function ownConnection({ actor, repo }: Workspace, connection: string): NewConnection {
  return { connection, client: actor.name, worktree: repo.workTree ?? repo.gitDir, ...thisWorker() }
}

/** A caller is there: also after the machine slept, when no timer has fired yet. */
function renewIfDue(ws: Workspace): void {
  const soon = inMinutes(ws, MINUTES_AFTER_END / 2)
  if (claimsOf(ws).some(({ expires_at }) => expires_at !== null && expires_at < soon)) renewClaims(ws)
}

/** Renews what the connection has claimed. */
export function renewClaims(ws: Workspace): void {
  const claims = claimsOf(ws)
  if (claims.length > 0) showConnection(ws)
  for (const { uid, token, run, ledger } of claims) {
    renewLease(liveOf(ws), uid, token, inMinutes(ws, MINUTES_AFTER_END))
    renewInLedger(alsoFor(ws, { ledger }), { uid }, { run, until: untilInLedger(ws) })
  }
}

/** The client has left. What it has claimed stays for a while, for the same client in the same working tree. */
export function leaveClaims(ws: Workspace): void {
  renewClaims(ws)
  if (ws.live !== null && ws.actor.connection !== undefined) endConnection(ws.live, ws.actor.connection)
}

/** The task, if the connection has claimed it; without one, the task that it claimed first. Null: it has not. */
export function claimedTask(ws: Workspace, ref: string | undefined): Task | null {
  const claims = claimsOf(ws).filter(({ ledger }) => ledger === ws.ledger)
  const view = readLedger(ws)
  const uid = ref === undefined ? claims[0]?.uid : findTask(view, ref).uid
  const isClaimed = claims.some((claim) => claim.uid === uid)
  return isClaimed && uid !== undefined ? taskOf(ws.state, view.row.lid, uid) : null
}

function claimsOf({ live, actor }: Workspace): Lease[] {
  return live === null || actor.connection === undefined ? [] : openClaims(live, actor.connection)
}

function inMinutes(ws: Workspace, minutes: number): string {
  return isoSeconds(Date.parse(ws.now()) + minutes * 60_000)
}
