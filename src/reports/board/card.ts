import type { Column } from '../../core/drawing/board-columns.ts'
import { amount, totalRuns } from '../../core/run/run-totals.ts'
import { isOnHold } from '../../core/task/status-predicates.ts'
import type { DerivedStatus, Priority, Task } from '../../core/task/task.ts'
import { tasksOfRows } from '../../state/index/read-tasks.ts'
import type { LiveRun } from '../../state/live/live-runs.ts'
import { versionsOf } from '../../workspace/expected-version.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { derivedStatus, readBlockers, runningOn } from '../../workspace/views/task-status.ts'
import type { TaskName } from '../../workspace/views/views.ts'
import { type BoardFacts, lastAgent, type Placed, priorityOf } from './board-facts.ts'

/** A task as the board shows it. */
export interface Card {
  number: number
  id: string
  /** Changes with every fact about the task: what is done to it names the version that was shown. */
  version: string
  key: string | null
  title: string
  type: string
  status: DerivedStatus
  column: Column
  /** The heading below which it is in its column; null: below the one for tasks without any. */
  section: string | null
  priority: Priority
  group: string | null
  milestone_id: string | null
  branch: string | null
  /** Who works on it, who shall, or who did last. */
  agent: string | null
  on_hold: boolean
  /** Only what it waits for now. */
  blocked_by: TaskName[]
  /** Of a running task. */
  phase: string | null
  started_at: string | null
  closed_at: string | null
  attempts: number
  /** Null: its agents have not reported what they cost. */
  cost_usd: number | null
  /** Some of its attempts have reported no cost, so it cost more. */
  is_cost_partial: boolean
  /** Why it needs a person, or why it cannot land, in one sentence. */
  why: string | null
}

/** The cards of these tasks, in the same order. A fixed number of queries. */
export function cardsOf(view: LedgerView, placed: readonly Placed[], facts: BoardFacts): Card[] {
  const rows = placed.map(({ row }) => row)
  const blockersOf = readBlockers(view, rows)
  const tasks = tasksOfRows(view.ws.state, rows)
  const versions = versionsOf(view, rows)
  return placed.map(({ row, column, section }, at) => {
    const task = tasks[at] as Task
    const run = facts.runs.get(row.uid)
    const { number, id, key, title, type, milestone_id, closed_at, grp: group, branch } = row
    return {
      ...{ number, id, key, title, type, milestone_id, closed_at, group, branch, column, section },
      version: versions[at] as string,
      status: derivedStatus(view, row),
      priority: priorityOf(row),
      agent: run?.agent ?? row.assigned_agent ?? runningOn(view, row) ?? lastAgent(task),
      on_hold: isOnHold(row),
      blocked_by: blockersOf(row),
      phase: run?.phase ?? null,
      started_at: run?.started_at ?? null,
      attempts: task.runs.length,
      ...costOf(task, run),
      why: whyHere(row, column, facts),
    }
  })
}

function whyHere({ id, uid }: Placed['row'], column: Column, { inbox, queue }: BoardFacts): string | null {
  if (column !== 'needs_you' && column !== 'failed') return null
  return inbox.get(id) ?? queue.get(uid)?.reason ?? null
}

function costOf({ runs }: Task, live: LiveRun | undefined): Pick<Card, 'cost_usd' | 'is_cost_partial'> {
  const { cost_usd, attempts_without_cost } = totalRuns(runs)
  const known = cost_usd + amount(live?.cost_usd)
  const isPartial = attempts_without_cost > 0
  return { cost_usd: known === 0 && isPartial ? null : known, is_cost_partial: known > 0 && isPartial }
}
