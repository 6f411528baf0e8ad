import { comparePlanned, type PlanChange } from '../../core/plan/compare-planned.ts'
import type { PlannedTask } from '../../core/plan/plan-model.ts'
import { editTask } from '../../core/task/operations.ts'
import { isPending } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { type DraftInput, milestoneOf, type PlanDraft, refsOf } from './draft-plan.ts'

/** What happened to a task that is already in the ledger. */
export interface KnownTask {
  task: Task
  changes: PlanChange[]
  state: 'known' | 'changed' | 'updated' | 'closed' | 'deleted'
}

export function compareKnown(
  view: LedgerView,
  input: DraftInput,
  draft: PlanDraft,
  update: boolean,
): Map<PlannedTask, KnownTask> {
  const byKey = new Map([...draft.tasks].map(([{ key }, task]) => [key, task]))
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const compared = new Map<PlannedTask, KnownTask>()
  for (const [planned, task] of input.known) {
    const changes = comparePlanned(task, planned, {
      depends_on: refsOf(input, planned, byKey),
      milestone_id: milestoneOf(input, planned) ?? null,
      ...(planned.keyKind === 'given' && { key: planned.key }),
    })
    compared.set(planned, judge(task, changes))
    if (!update || changes.length === 0 || !isPending(task)) continue
    const edits = Object.fromEntries(changes.map(({ field, to }) => [field, to]))
    compared.set(planned, { task: editTask(task, edits, now), changes, state: 'updated' })
  }
  return compared
}

function judge(task: Task, changes: PlanChange[]): KnownTask {
  if (task.deleted) return { task, changes: [], state: 'deleted' }
  if (changes.length === 0) return { task, changes, state: 'known' }
  return { task, changes, state: task.status === 'pending' ? 'changed' : 'closed' }
}
