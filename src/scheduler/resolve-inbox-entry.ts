import { command } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { addNote, closeTask, editTask, reopenForWork, reopenTask } from '../core/task/operations.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { settleMatter } from '../reports/matter-items.ts'
import { pendingEntries } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { withFinishedParents } from '../tasks/checks/finish-parents.ts'
import { refuseOpenChildren } from '../tasks/checks/refuse-open-children.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { commitsToLink } from '../workspace/ledger/link-commits.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export const RESOLUTIONS = ['fixed', 'skip', 'reset', 'abort'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/**
 * A person's decision about an entry of the inbox: a task that agents could not finish, or an entry that belongs to no
 * task. Null means the latter: no task has changed.
 */
export function resolveInboxEntry(ws: Workspace, ref: string, resolution: Resolution): TaskView[] | null {
  return settleMatter(ws, ref, resolution) ? null : resolveTask(ws, ref, resolution)
}

function resolveTask(ws: Workspace, ref: string, resolution: Resolution): TaskView[] {
  assertAllowed('resolve', ws.actor)
  const changed = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    if (task.status === 'completed')
      throw new UserError('TASK_CLOSED', `${task.id} is completed`, { hint: command`edit ${ref} --reopen` })
    const tasks = resolved(view, task, resolution)
    refuseOpenChildren(view, tasks)
    const change = withFinishedParents(view, { tasks, subject: `resolve ${task.id} ${resolution}` })
    return { ...change, result: change.tasks }
  })
  return viewChanged(ws, changed)
}

function resolved(view: LedgerView, task: Task, resolution: Resolution): Task[] {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const open = task.status === 'pending' ? task : reopenTask(task)
  switch (resolution) {
    case 'fixed':
      return [closeTask(open, 'completed', now, { head: null, branch: null, commits: commitsToLink(view, task) })]
    case 'skip':
      return [closeTask(open, 'skipped', now, { head: null, branch: null, commits: [] })]
    case 'reset':
      return [reopenForWork(task, now)]
    case 'abort':
      return [task, ...restOfWorkflow(view, task)].map((each) => hold(view, each))
    default:
      return resolution satisfies never
  }
}

/** What is left of the group or plan that the task belongs to. */
function restOfWorkflow({ ws, row }: LedgerView, task: Task): Task[] {
  const open = pendingEntries(ws.state, row.lid).flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
  const isSame = (other: Task) =>
    (task.group !== undefined && other.group === task.group) ||
    (task.plan_file !== undefined && other.plan_file === task.plan_file)
  return open.filter((other) => other.uid !== task.uid && isSame(other))
}

function hold(view: LedgerView, task: Task): Task {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  return addNote(editTask(task, { on_hold: true }, now), 'on hold: its workflow was aborted', now, view.ws.random(8))
}
