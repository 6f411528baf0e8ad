/** Which open runs of the ledger belong to this clone, and which to others. */
import { isExpiredClaim } from '../../core/task/late-done.ts'
import { isOpenRun, type OpenRun, readOpenRuns } from '../../core/task/open-runs.ts'
import type { Run, Task } from '../../core/task/task.ts'
import { readClone } from '../../platform/git/clone-id.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { leaseOf } from '../../state/live/leases.ts'
import type { Workspace } from '../workspace.ts'

/**
 * The run of another clone that makes a task be in progress; null if there is none. A run of this clone without a lease
 * has died. A run of another clone may be alive, so it is never recovered, ended or repeated unless a person asks for it.
 * The exception is a claim that has expired.
 */
export function runElsewhere(ws: Workspace, row: Pick<Entry, 'uid' | 'status' | 'open_runs'>): OpenRun | null {
  if (row.status !== 'pending' || row.open_runs === null) return null
  const others = readOpenRuns(row.open_runs).filter((run) => !isOwnRun(ws, row.uid, run))
  return others.find((run) => !isExpiredClaim(run, ws.now())) ?? null
}

/** The claims of other clones that have expired: a worker that takes the task now does not end them. */
export function expiredElsewhere(ws: Workspace, { uid, runs }: Pick<Task, 'uid' | 'runs'>): Run[] {
  return runs.filter((run) => isOpenRun(run) && isExpiredClaim(run, ws.now()) && !isOwnRun(ws, uid, run))
}

/** Older versions did not record the clone: then it is ours only if this clone's store has the run. */
export function isOwnRun(
  { repo, live }: Workspace,
  uid: string,
  { run, clone }: Pick<OpenRun, 'run' | 'clone'>,
): boolean {
  if (clone !== undefined) return clone === readClone(repo.commonDir).id
  return live !== null && leaseOf(live, uid)?.run === run
}
