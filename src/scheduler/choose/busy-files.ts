/** The files that other tasks touch now, in this process or another one of this repository. */
import type { Task } from '../../core/task/task.ts'
import { filesTouched } from '../../engine/worktree/worktree-changes.ts'
import { startPoint } from '../../runs/start-point.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { type Lease, leasesByLife } from '../../state/live/leases.ts'
import { readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'

/** `except`: uids of tasks that will be taken from their current holder. */
export function busyFiles(ws: Workspace, except: readonly string[] = []): string[] {
  const held = leasesByLife(liveOf(ws), ws.now()).held.filter(({ uid }) => !except.includes(uid))
  return held.flatMap((lease) => touchedUnder(ws, lease))
}

export function filesOf({ files_to_create = [], files_to_modify = [] }: Task): string[] {
  return [...files_to_create, ...files_to_modify]
}

/** The files that its task declares, and those that were actually changed so far. */
function touchedUnder(ws: Workspace, { uid, ledger, branch, path, head }: Lease): string[] {
  const view = readOtherLedger(ws, ledger)
  const task = taskOf(ws.state, view.row.lid, uid)
  if (task === null) return []
  if (branch === null || path === null || head === null) return filesOf(task)
  return [...filesOf(task), ...filesTouched(ws.repo, path, [head, ...startPoint(view, task).merge])]
}
