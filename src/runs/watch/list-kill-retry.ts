import { command } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { reopenForWork } from '../../core/task/operations.ts'
import { isFinished } from '../../core/task/status-predicates.ts'
import { UserError } from '../../core/user-error.ts'
import { leasesByLife } from '../../state/live/leases.ts'
import { type LiveRun, openRuns, updateRun } from '../../state/live/live-runs.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type { LiveRun }

/** The current runs. */
export function listRuns(ws: Workspace): LiveRun[] {
  if (ws.live === null) return []
  const held = new Set(leasesByLife(ws.live, ws.now()).held.map(({ run }) => run))
  return openRuns(ws.live).filter(({ run }) => held.has(run))
}

/** Asks the worker of a task to end its run now. The work is kept. */
export function killRun(ws: Workspace, ref: string): LiveRun {
  assertAllowed('work', ws.actor)
  const task = findTask(readLedger(ws), ref)
  const run = listRuns(ws).find(({ uid }) => uid === task.uid)
  if (run === undefined || ws.live === null)
    throw new UserError('NOT_RUNNING', `${task.id} is not running here`, { hint: command`ps` })
  updateRun(ws.live, run.run, { cancel: 'kill' })
  return run
}

/** Reopens a failed task, so that the next attempt may start. The work of the last one stays on its branch. */
export function reopenForRetry(ws: Workspace, ref: string): void {
  assertAllowed('work', ws.actor)
  changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    if (isFinished(task)) {
      throw new UserError('TASK_CLOSED', `${task.id} is ${task.status}`, { hint: command`edit ${ref} --reopen` })
    }
    const tasks = task.status === 'failed' ? [reopenForWork(task, { at: ws.now(), by: ws.actor.name })] : []
    return { tasks, subject: `retry ${task.id}`, result: null }
  })
}
