import { pullRequestMarkdown as markdown, type PrTask } from '../core/documents/pull-request-text.ts'
import { isFinished, isOnHold } from '../core/task/status-predicates.ts'
import { taskTree } from '../core/task/task-tree.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import { viewRows } from '../workspace/views/task-view.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * The markdown for the description of a pull request: every task of the ledger, children below their parents. For a
 * branch that gza made for some of its tasks, only those tasks.
 */
export function pullRequestMarkdown(ws: Workspace, branch = ws.ledger): string {
  const tasks = tasksOfBranch(ws, branch)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return markdown(taskTree(tasks).map(({ task, depth }) => prTask(task, depth, byId)))
}

export function tasksOfBranch(ws: Workspace, branch: string): TaskView[] {
  const view = readLinkedLedger(ws)
  const tasks = [...viewRows(view, liveRows(view))]
  return branch === ws.ledger ? tasks : tasks.filter((task) => task.branch === branch)
}

function prTask(task: TaskView, depth: number, byId: ReadonlyMap<string, TaskView>): PrTask {
  const ids = new Set([...task.after, ...task.depends_on, ...task.based_on])
  return {
    id: task.id,
    title: task.title,
    content: task.content,
    done: task.status === 'completed',
    skipped: task.status === 'skipped',
    onHold: isOnHold(task),
    commit: task.closed_commit,
    dependencies: [...ids]
      .filter((id) => byId.has(id))
      .map((id) => ({ id, done: isFinished(byId.get(id) as TaskView) })),
    depth,
  }
}
