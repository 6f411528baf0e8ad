import { winningEdit } from '../core/ledger/join-tasks.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { restoreTask } from '../core/task/operations.ts'
import { isOpen } from '../core/task/status-predicates.ts'
import type { Task } from '../core/task/task.ts'
import { deletedEntries } from '../state/index/list-entries.ts'
import { tasksOfRows } from '../state/index/read-tasks.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findDeletedTasks, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { refuseTakenKey } from '../workspace/ledger/taken-keys.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCycles } from './checks/refuse-cycles.ts'
import { warnOfFinishedParent } from './checks/warn-of-finished-parent.ts'

/** Brings deleted tasks back as they were, also those of others. What others did with them meanwhile is there too. */
export function restoreTasks(ws: Workspace, refs: readonly string[]): TaskView[] {
  assertAllowed('restore', ws.actor)
  const restored = changeLedger(ws, (view) => {
    const tasks = findDeletedTasks(view, refs).map((task) => restoreTask(task, { at: ws.now(), by: ws.actor.name }))
    for (const task of tasks) refuseTakenKey(view, task)
    refuseCycles(view, tasks, {
      waits: 'The restored tasks would wait for themselves',
      parents: 'The restored tasks would be their own ancestors',
      hint: 'Nothing was changed. Change one of these links first.',
    })
    for (const task of tasks) warnOfChanges(view, task)
    return { tasks, subject: `restore ${tasks.map(({ id }) => id).join(' ')}`, result: tasks }
  })
  return viewChanged(ws, restored)
}

function warnOfChanges(view: LedgerView, task: Task): void {
  const number = entry(view, task.uid)?.number ?? task.number
  if (number !== task.number)
    view.ws.warnings.push(`${task.id} is now #${number}: another task has #${task.number} since a merge`)
  if (isOpen(task)) warnOfFinishedParent(view, task)
}

export interface DeletedTask {
  number: number
  id: string
  key: string | null
  title: string
  deleted_at: string | null
  deleted_by: string | null
}

/** What can be restored, in the order of filing. */
export function deletedTasks(ws: Workspace): DeletedTask[] {
  const { row } = readLedger(ws)
  const rows = deletedEntries(ws.state, row.lid)
  const tasks = tasksOfRows(ws.state, rows)
  return rows.map(({ number, id, key, title }, at) => {
    const { at: deleted_at = null, by: deleted_by = null } = winningEdit(tasks[at]?.edits ?? [], 'deleted') ?? {}
    return { number, id, key, title, deleted_at, deleted_by }
  })
}
