/** Which tasks may be worked on now, and for each other task the one reason why not. */
import type { Config } from '../../core/config/settings.ts'
import { notBefore } from '../../core/run-rules.ts'
import type { Task } from '../../core/task.ts'
import { UserError } from '../../core/user-error.ts'
import { readyEntries, taskOf } from '../../state/sqlite/read-index.ts'
import { entry, findTask, type LedgerView } from '../ledger-view.ts'
import { blockersOf, derivedStatus } from '../task-view.ts'

export interface Workable {
  task: Task
  /** Milliseconds since 1970; null: at once. */
  notBefore: number | null
}

/** Ready tasks in the order in which they should be started. */
export function workableTasks(view: LedgerView, config: Config): Workable[] {
  return readyEntries(view.ws.state, view.row.lid, 'e.unmet = 0')
    .filter((row) => derivedStatus(view, row) === 'pending')
    .flatMap(({ uid }) => {
      const task = taskOf(view.ws.state, view.row.lid, uid)
      return task === null || hasOpenChildren(view, uid)
        ? []
        : [{ task, notBefore: notBefore(task, config.retry.backoff_seconds) }]
    })
}

/** A parent is done through its children. */
function hasOpenChildren(view: LedgerView, uid: string): boolean {
  const row = view.ws.state
    .query("SELECT 1 FROM entries WHERE lid = ? AND parent = ? AND deleted = 0 AND status = 'pending' LIMIT 1")
    .get(view.row.lid, uid)
  return row !== null
}

/** The task a person asked to have worked on, or why it can't be. */
export function workableTask(view: LedgerView, ref: string, options: { takeOver?: boolean }): Task {
  const task = findTask(view, ref)
  const row = entry(view, task.uid)
  if (row === undefined) throw new Error(`the index has no row for ${task.id}`)
  const status = derivedStatus(view, row)
  const number = `#${row.number}`
  if (status === 'blocked') {
    const [blocker] = blockersOf(view, row)
    const word = blocker?.status === 'blocked' ? 'pending' : blocker?.status
    throw new UserError('TASK_BLOCKED', `Task ${number} is blocked by task #${blocker?.number} (${word})`, {
      hint: `gza work ${blocker?.number}`,
    })
  }
  if (status === 'completed' || status === 'skipped')
    throw new UserError('TASK_CLOSED', `Task ${number} is ${status}`, { hint: `gza edit ${row.number} --reopen` })
  if (status === 'failed')
    throw new UserError('TASK_FAILED', `Task ${number} has failed`, { hint: `gza retry ${row.number}` })
  if (status === 'in_progress' && !options.takeOver) {
    const where = row.running_on !== null && row.running_on !== view.ws.machine ? ` on ${row.running_on}` : ''
    throw new UserError('TASK_RUNNING', `Task ${number} is in progress${where}`, {
      hint: `gza work ${row.number} --take-over`,
    })
  }
  return task
}
