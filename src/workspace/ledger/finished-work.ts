import { finishedHead } from '../../core/run/finished-work.ts'
import type { Task } from '../../core/task/task.ts'
import { readRef } from '../../platform/git/refs.ts'
import { entriesOnBranch } from '../../state/index/find-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { LedgerView } from './ledger-view.ts'

/** The other tasks that were given this branch. */
export function othersOnBranch({ ws, row }: LedgerView, { uid }: Pick<Task, 'uid'>, branch: string): Task[] {
  return entriesOnBranch(ws.state, row.lid, branch)
    .filter((other) => other.uid !== uid)
    .flatMap((other) => taskOf(ws.state, row.lid, other.uid) ?? [])
}

/** The commit with the task's finished work; null: there is none on a branch of its own. */
export function finishedHeadOf(view: LedgerView, task: Task): string | null {
  if (task.branch === undefined) return null
  const tip = readRef(view.ws.repo, `refs/heads/${task.branch}`)
  return finishedHead(task, othersOnBranch(view, task, task.branch), tip)
}
