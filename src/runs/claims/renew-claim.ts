import { recordRun } from '../../core/task/operations.ts'
import type { Task } from '../../core/task/task.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Other clones see it only in the ledger. A commit for each renewal would be too many: one at half-time is enough. */
export function renewInLedger(
  ws: Workspace,
  { uid }: Pick<Task, 'uid'>,
  { run, until }: { run: string; until: string },
): void {
  changeLedger(ws, (view) => {
    const task = taskOf(ws.state, view.row.lid, uid)
    const known = task?.runs.find((each) => each.run === run && each.ended_at === undefined)
    // A run of an older version has none, and older versions would drop one that was added.
    if (task === null || known?.until === undefined || !isHalfOver(ws.now(), known.until, until))
      return { tasks: [], subject: '', result: null }
    return { tasks: [recordRun(task, { ...known, until })], subject: `renew ${task.id}`, result: null }
  })
}

/** Is less than half of the renewed time known to others? */
function isHalfOver(now: string, known: string, until: string): boolean {
  const [start, middle, end] = [now, known, until].map((moment) => Date.parse(moment)) as [number, number, number]
  return middle < end && middle - start < (end - start) / 2
}
