import { addQuestion, recordRun } from '../core/task/operations.ts'
import { openQuestion } from '../core/task/questions.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import type { Run, Task } from '../core/task/task.ts'
import { isHeld, type Lease, leaseOf, releaseLease } from '../state/live/leases.ts'
import { sawAgent } from '../state/live/registered-agents.ts'
import type { WorkspaceActor } from '../workspace/find-actor.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * The claim that was never released, whether or not its time is over; null if a worker of gza has the task, or nobody.
 */
export function claimOf({ live }: Workspace, { uid }: Pick<Task, 'uid'>): Lease | null {
  const lease = live === null ? null : leaseOf(live, uid)
  return lease === null || lease.released_at !== null || lease.expires_at === null ? null : lease
}

export const GIVEN_UP = { outcome: 'interrupted', reason: 'interrupted' } as const

/** The task with the end of that claim's run, if none is recorded yet. */
export function endClaimedRun(task: Task, { run }: Lease, end: Partial<Run> & { ended_at: string }): Task {
  const open = task.runs.find((known) => known.run === run && known.ended_at === undefined)
  return open === undefined ? task : recordRun(task, { ...open, ...end })
}

/** An agent that calls gza is alive. */
export function noteHeartbeat({ live, actor, now }: Workspace): void {
  if (live !== null && actor.mode === 'agent') sawAgent(live, actor.name, now())
}

/** The task with the question, and without the claim of the agent that asked: it waits for a person, not for the agent. */
export function withQuestion(view: LedgerView, task: Task, question: string): Task {
  const { ws } = view
  const { name: by, run } = ws.actor
  const asked = addQuestion(task, question, { at: ws.now(), by, run }, ws.random(8))
  const claim = claimOf(ws, task)
  if (claim === null || isFinished(task)) return asked
  return endClaimedRun(asked, claim, { ended_at: ws.now(), outcome: 'interrupted', reason: 'question' })
}

export function releaseAskedClaim(ws: Workspace, task: Task): void {
  const claim = openQuestion(task) === null ? null : claimOf(ws, task)
  if (claim !== null && ws.live !== null) releaseLease(ws.live, task.uid, claim.token, ws.now())
}

/** Whether the agent that calls has this task: in its run, or by its claim. */
export function worksOn({ live, actor, now }: Workspace, { uid }: Pick<Task, 'uid'>): boolean {
  const lease = live === null || actor.mode === 'human' ? null : leaseOf(live, uid)
  if (lease === null || !isHeld(lease, now())) return false
  if (actor.run !== undefined) return lease.run === actor.run
  return lease.expires_at !== null && lease.holder === actor.name && !isOtherConnection(actor, lease)
}

/** Two connections of one client have the same name. Only the connection distinguishes them. */
export function isOtherConnection(actor: WorkspaceActor, { connection }: Lease): boolean {
  return actor.connection !== undefined && connection !== null && connection !== actor.connection
}
