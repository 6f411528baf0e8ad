import { type Limits, limitsOf, type Spend } from '../core/run/budgets.ts'
import { type RunTotals, totalRuns } from '../core/run/run-totals.ts'
import { type Run, type Task, titleOf } from '../core/task/task.ts'
import { spentToday } from '../runs/spend/day-budget.ts'
import { tasksInOrder } from '../state/index/read-tasks.ts'
import { knownBudgets } from '../workspace/config/known-budgets.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { TaskName } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface Stats {
  total: RunTotals & { tasks: number }
  by_type: (RunTotals & { type: string; tasks: number })[]
  by_agent: (RunTotals & { agent: string; tasks: number })[]
  /** Includes `deleted` tasks, because their cost was real. */
  by_task: (RunTotals & WorkedTask)[]
  /** What the person has spent today in all repositories. */
  today: Spend & { budget: Limits }
}

interface WorkedTask extends TaskName {
  type: string
  deleted: boolean
}

/** The cost and time of the runs in the ledger, on all machines. */
export async function readStats(ws: Workspace): Promise<Stats> {
  const budgets = await knownBudgets(ws)
  const view = readLedger(ws)
  const worked = [...tasksInOrder(ws.state, view.row.lid)].filter(({ runs }) => runs.length > 0)
  const runs = worked.flatMap((task) => task.runs.map((run) => ({ task, run })))
  return {
    total: totalOf(runs),
    by_type: grouped(runs, ({ task }) => task.type).map(([type, some]) => ({ type, ...totalOf(some) })),
    by_agent: grouped(runs, ({ run }) => agentOf(run)).map(([agent, some]) => ({ agent, ...totalOf(some) })),
    by_task: worked.map((task) => ({ ...nameOf(view, task), ...totalRuns(task.runs) })),
    today: { ...spentToday(ws), budget: limitsOf(budgets, 'day') },
  }
}

interface TaskRun {
  task: Task
  run: Run
}

function totalOf(some: readonly TaskRun[]) {
  return { tasks: new Set(some.map(({ task }) => task.uid)).size, ...totalRuns(some.map(({ run }) => run)) }
}

/** The most expensive first, then those with the most runs. */
function grouped(runs: readonly TaskRun[], nameOf: (run: TaskRun) => string): [string, TaskRun[]][] {
  const cost = ([, some]: [string, TaskRun[]]) => totalOf(some).cost_usd
  return [...Map.groupBy(runs, nameOf)].sort((a, b) => cost(b) - cost(a) || b[1].length - a[1].length)
}

function agentOf(run: Run): string {
  return typeof run.agent === 'string' ? run.agent : '(unknown)'
}

function nameOf(view: LedgerView, task: Task): WorkedTask {
  const row = entry(view, task.uid)
  return {
    number: row?.number ?? task.number,
    id: row?.id ?? task.id,
    title: titleOf(task),
    status: row === undefined ? task.status : derivedStatus(view, row),
    type: task.type,
    deleted: task.deleted ?? false,
  }
}
