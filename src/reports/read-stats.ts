import { limitsOf } from '../core/run/budgets.ts'
import { type RunTotals, totalRuns } from '../core/run/run-totals.ts'
import { firstLanding, type Wait, waitsOf } from '../core/stats/waits.ts'
import { agentOf, modelOf, type TaskRun, totalWork, type WorkTotals } from '../core/stats/work-totals.ts'
import { type Run, type Task, titleOf } from '../core/task/task.ts'
import { firstDay, localDay, spentToday } from '../runs/spend/day-budget.ts'
import { tasksInOrder } from '../state/index/read-tasks.ts'
import { knownBudgets } from '../workspace/config/known-budgets.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { TaskName } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface Stats {
  /** Only the last so many days, today included; null: everything. */
  days: number | null
  total: WorkTotals
  by_type: (WorkTotals & { type: string })[]
  by_agent: (WorkTotals & { agent: string })[]
  /** A model is null if the client chose it. */
  by_model: (WorkTotals & { agent: string; model: string | null })[]
  /** Days on which a run ended or a task was finished or landed, in the local time, oldest first. */
  by_day: (WorkTotals & DayCounts)[]
  /** Includes `deleted` tasks, because their cost was real. */
  by_task: (RunTotals & WorkedTask)[]
  time: TimeSpent
  /** What the person has spent today in all repositories. */
  today: CostAndTurns<number> & { budget: CostAndTurns<number | null> }
  /** The limits for one task, over all its runs. */
  task_budget: CostAndTurns<number | null>
}

interface DayCounts {
  day: string
  finished_count: number
  landed_count: number
}

/** Of all tasks together. Tasks wait side by side, so their waits add up to more than the time that has passed. */
interface TimeSpent {
  working_seconds: number
  verifying_seconds: number
  /** From when a task was filed to its first run. */
  waiting_to_start_seconds: number
  /** Between two runs of a task. */
  waiting_to_retry_seconds: number
  /** From the last run to the landing. */
  waiting_to_land_seconds: number
}

export interface StatsOptions {
  days?: number
}

interface CostAndTurns<T> {
  cost_usd: T
  turns: T
}

function costOf<T>({ usd, turns }: { usd: T; turns: T }): CostAndTurns<T> {
  return { cost_usd: usd, turns }
}

interface WorkedTask extends TaskName {
  type: string
  deleted: boolean
}

/** The cost and time of the runs in the ledger, on all machines. */
export async function readStats(ws: Workspace, { days }: StatsOptions = {}): Promise<Stats> {
  const budgets = await knownBudgets(ws)
  const view = readLedger(ws)
  const range = openRange(ws, days)
  const all = [...tasksInOrder(ws.state, view.row.lid)]
  const runs = all.flatMap((task) => task.runs.filter((run) => range.has(momentOf(run))).map((run) => ({ task, run })))
  const groups = <T extends object>(nameOf: (run: StatRun) => string, about: (first: StatRun) => T) =>
    grouped(runs, nameOf).map((some) => ({ ...about(some[0]), ...totalWork(some) }))
  const total = totalWork(runs)
  return {
    days: days ?? null,
    total,
    by_type: groups(
      ({ task }) => task.type,
      ({ task: { type } }) => ({ type }),
    ),
    by_agent: groups(
      ({ run }) => agentOf(run),
      ({ run }) => ({ agent: agentOf(run) }),
    ),
    by_model: groups(
      ({ run }) => JSON.stringify([agentOf(run), modelOf(run)]),
      ({ run }) => ({ agent: agentOf(run), model: modelOf(run) }),
    ),
    by_day: daysOf(all, runs, range),
    by_task: [...Map.groupBy(runs, ({ task }) => task)].map(([task, some]) => ({
      ...nameOf(view, task),
      ...totalRuns(some.map(({ run }) => run)),
    })),
    time: timeSpent(all, total, range),
    today: { ...costOf(spentToday(ws)), budget: costOf(limitsOf(budgets, 'day')) },
    task_budget: costOf(limitsOf(budgets, 'task')),
  }
}

interface StatRun extends TaskRun {
  task: Task
}

/** A run counts on the day on which it ended. */
function momentOf({ started_at, ended_at }: Run): string {
  return ended_at ?? started_at
}

interface Range {
  /** Null: it is not a time. */
  dayOf(moment: string): string | null
  has(moment: string | null): boolean
}

function openRange({ clock }: Workspace, days: number | undefined): Range {
  const dayOf = (moment: string) => (Number.isNaN(Date.parse(moment)) ? null : localDay(Date.parse(moment)))
  if (days === undefined) return { dayOf, has: (moment) => moment !== null }
  const first = firstDay(clock(), days)
  return { dayOf, has: (moment) => moment !== null && (dayOf(moment) ?? '') >= first }
}

function daysOf(all: readonly Task[], runs: readonly StatRun[], { dayOf, has }: Range): Stats['by_day'] {
  const count = (moments: readonly (string | null | undefined)[]) =>
    Map.groupBy(
      moments.filter((moment): moment is string => has(moment ?? null)),
      dayOf,
    )
  const finished = count(all.map((task) => (task.status === 'completed' ? task.closed_at : null)))
  const landed = count(all.map(({ landings }) => firstLanding(landings)?.at))
  const worked = Map.groupBy(runs, ({ run }) => dayOf(momentOf(run)))
  const known = new Set([...worked.keys(), ...finished.keys(), ...landed.keys()])
  return [...known]
    .filter((day) => day !== null)
    .sort()
    .map((day) => ({
      day,
      finished_count: finished.get(day)?.length ?? 0,
      landed_count: landed.get(day)?.length ?? 0,
      ...totalWork(worked.get(day) ?? []),
    }))
}

function timeSpent(all: readonly Task[], { seconds, verify_seconds }: WorkTotals, { has }: Range): TimeSpent {
  const waits = all.flatMap(waitsOf).filter(({ until }) => has(until))
  const waited = (kind: Wait['kind']) => waits.reduce((sum, wait) => sum + (wait.kind === kind ? wait.seconds : 0), 0)
  return {
    working_seconds: seconds - verify_seconds,
    verifying_seconds: verify_seconds,
    waiting_to_start_seconds: waited('start'),
    waiting_to_retry_seconds: waited('retry'),
    waiting_to_land_seconds: waited('land'),
  }
}

/** The most expensive first, then those with the most runs. */
function grouped(runs: readonly StatRun[], nameOf: (run: StatRun) => string): [StatRun, ...StatRun[]][] {
  const groups = [...Map.groupBy(runs, nameOf).values()].map((some) => ({ some, cost: totalWork(some).cost_usd }))
  groups.sort((a, b) => b.cost - a.cost || b.some.length - a.some.length)
  return groups.map(({ some }) => some as [StatRun, ...StatRun[]])
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
