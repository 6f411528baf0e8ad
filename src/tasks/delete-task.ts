import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { deleteTask as remove } from '../core/task/operations.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTasks, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { busyTasks, busyWords, orphanedTasks } from './checks/busy-tasks.ts'
import { withFinishedParents } from './checks/finish-parents.ts'

/**
 * Leaves a tombstone: the task disappears from every list, its history stays, and `restore` brings it back. `evenBusy`: a
 * person has agreed to delete tasks that somebody works on.
 */
export function deleteTask(ws: Workspace, refs: readonly string[], { evenBusy = false } = {}): TaskView[] {
  assertAllowed('delete', ws.actor)
  const deleted = changeLedger(ws, (view) => {
    const found = findTasks(view, refs)
    if (!evenBusy) refuseBusy(view, found)
    const tasks = found.map((task) => remove(task, { at: ws.now(), by: ws.actor.name }))
    return {
      ...withFinishedParents(view, { tasks, subject: `delete ${tasks.map((task) => task.id).join(' ')}` }),
      result: tasks,
    }
  })
  return viewChanged(ws, deleted)
}

function refuseBusy(view: LedgerView, tasks: readonly Task[]): void {
  const rows = tasks.flatMap(({ uid }) => entry(view, uid) ?? [])
  const busy = busyTasks(view, rows)
  const [orphaned] = orphanedTasks(view, rows)
  const first = busy[0]?.row ?? orphaned
  if (first === undefined) return
  const fact =
    busy.length > 0
      ? busyWords(busy)
      : `The gza that worked on #${first.number} (${first.id}) has died, and its agent may still run`
  const numbers = tasks.map(({ uid, number }) => entry(view, uid)?.number ?? number)
  throw new UserError('TASK_RUNNING', fact, {
    hint: sentence`Nothing was changed. ${command`kill ${first.number}`} ends a run that gza started, ${command`release ${first.number}`} a claim. To delete it anyway: ${command`delete ${numbers.join(' ')} --yes`}`,
  })
}
