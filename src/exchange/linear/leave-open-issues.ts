import { isFinished } from '../../core/task/status-predicates.ts'
import { openBelowWords } from '../../core/text/open-below.ts'
import type { SyncPlan } from './sync-plan.ts'
import type { SyncMemory, SyncTask } from './sync-task.ts'

/**
 * A task is done when all its children are. A task whose issue was completed before theirs stays open, and this is
 * reported.
 */
export function leaveOpenIssues(plan: SyncPlan, tasks: readonly SyncTask[], memory: SyncMemory): void {
  const children = Map.groupBy(tasks, ({ parent }) => parent)
  const pulls = new Map(plan.pulls.map((pull) => [pull.task.uid, pull]))
  const isOpen = (task: SyncTask): boolean => {
    const to = pulls.get(task.uid)?.to
    // A task that somebody works on is not closed from Linear.
    return to === undefined || task.status === 'in_progress' ? !isFinished(task) : to === 'pending'
  }
  const openBelow = (task: SyncTask) => (children.get(task.uid) ?? []).filter(isOpen)
  for (let isSettled = false; !isSettled; ) {
    const early = [...pulls.values()].filter(({ task, to }) => to === 'completed' && openBelow(task).length > 0)
    for (const { task, issue } of early) {
      const open = openBelowWords(openBelow(task).map(({ number }) => number))
      plan.remarks.push({ task, why: `${issue.identifier} is completed, but ${open}` })
      pulls.delete(task.uid)
      const { sent = '' } = plan.memory.get(task.uid) ?? {}
      // As if the issue had not changed: the next sync checks again.
      plan.memory.set(task.uid, { ours: task.status, theirs: memory.get(task.uid)?.theirs ?? 'unstarted', sent })
    }
    isSettled = early.length === 0
  }
  plan.pulls = [...pulls.values()]
}
