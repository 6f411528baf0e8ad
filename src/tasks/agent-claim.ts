import { recordRun } from '../core/task/operations.ts'
import type { Run, Task } from '../core/task/task.ts'
import { type Lease, leaseOf } from '../state/live/leases.ts'
import { sawAgent } from '../state/live/registered-agents.ts'
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
