/** On start-up every unfinished run is compared with what git and the process table show, and brought to an end. */

import { isRunName } from '../core/ledger/stored-names.ts'
import { sentenceText } from '../core/sentence.ts'
import { OUTPUT_FOLDERS } from '../core/task/output-folders.ts'
import type { Run, Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { workplacePath } from '../engine/worktree/workplace.ts'
import { isBranchName } from '../platform/git/refs.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { entriesWithOpenRuns } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { adoptLease, type Lease, leasesByLife, releaseLease, takeLease } from '../state/live/leases.ts'
import { rememberGone } from '../state/live/supervisors.ts'
import { ledgerNames, readOtherLedger } from '../workspace/ledger/read-ledger.ts'
import { isOwnRun } from '../workspace/ledger/running-elsewhere.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { clearDeadWorktrees } from './clear-dead-worktrees.ts'
import { lookAtRemote } from './look-at-remote.ts'
import { thisWorker } from './new-run.ts'
import { isClaim, retireRun } from './retire-run.ts'
import { closeWindowsAfterCrash } from './watch/guard-surroundings.ts'

/** Returns a sentence for each run that was found dead. Before anything is done, what others have pushed is joined. */
export async function recoverRuns(ws: Workspace): Promise<string[]> {
  closeWindowsAfterCrash(ws)
  await clearDeadWorktrees(ws)
  if (leasesByLife(liveOf(ws), ws.now()).abandoned.length + findUnleased(ws).length === 0) return []
  const unseen = await lookAtRemote(ws)
  const sentences = [unseen === null ? null : sentenceText(unseen)]
  for (const dead of leasesByLife(liveOf(ws), ws.now()).abandoned) sentences.push(await endAbandoned(ws, dead))
  for (const unleased of findUnleased(ws)) sentences.push(await endUnleased(ws, unleased))
  return sentences.filter((sentence) => sentence !== null)
}

/**
 * Only the process that adopted the lease may change the workplace: another one may be recovering it, or a new run may
 * use it.
 */
export async function endAbandoned(ws: Workspace, dead: Lease): Promise<string | null> {
  if (!isClaim(dead)) rememberGone(liveOf(ws), dead.run, dead.start_time)
  const lease = isClaim(dead) ? dead : adoptLease(liveOf(ws), dead, thisWorker(), ws.now())
  if (lease === null) return null
  passStep(ws.env, 'adopted')
  const sentence = await retireRun(ws, lease)
  releaseLease(liveOf(ws), lease.uid, lease.token, ws.now())
  return sentence
}

/** A run that this clone started and that has no end, although no lease exists: the store of leases was lost. */
export interface UnleasedRun {
  ledger: string
  task: Task
  run: Run
}

function findUnleased(ws: Workspace): UnleasedRun[] {
  return ledgerNames(ws).flatMap((ledger) => {
    try {
      return unleasedIn(ws, ledger)
    } catch (error) {
      // A ledger that cannot be read is not a reason to fail if another one was requested.
      if (error instanceof UserError) return []
      throw error
    }
  })
}

export function unleasedIn(ws: Workspace, ledger: string): UnleasedRun[] {
  const view = readOtherLedger(ws, ledger)
  return entriesWithOpenRuns(view.ws.state, view.row.lid).flatMap(({ uid }) => {
    const task = taskOf(view.ws.state, view.row.lid, uid)
    if (task === null || view.leased.has(uid)) return []
    const dead = task.runs.filter((run) => run.ended_at === undefined && isRunName(run.run) && isOwnRun(ws, uid, run))
    return dead.map((run) => ({ ledger, task, run }))
  })
}

export async function endUnleased(ws: Workspace, { ledger, task, run }: UnleasedRun): Promise<string | null> {
  const now = ws.now()
  const own = isBranchName(task.branch) ? task.branch : null
  const branch = OUTPUT_FOLDERS[task.type] === undefined ? own : null
  const path = workplacePath(ws.repo, ws.env, { branch, run: run.run })
  const place = { head: null, branch, path: run.claimed ? null : path, taken_at: now }
  const worker = { holder: String(run.agent ?? 'gza'), machine: ws.machine, ...thisWorker(), expires_at: null }
  const taken = takeLease(liveOf(ws), { uid: task.uid, ledger, run: run.run, ...worker, ...place }, { now })
  if (taken === null) return null
  const sentence = await retireRun(ws, run.claimed ? { ...taken.lease, expires_at: now } : taken.lease)
  releaseLease(liveOf(ws), task.uid, taken.lease.token, ws.now())
  return sentence
}
