/**
 * `gza work --dry-run`: what would run, in which order, and why other tasks would not. It leases and writes nothing.
 */

import { planBatches } from '../../core/graph/plan-batches.ts'
import { compareReady } from '../../core/graph/ready-order.ts'
import { notBefore } from '../../core/run/run-rules.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { isOpen, isUnstarted } from '../../core/task/status-predicates.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { overloadedAgents } from '../../runs/spend/overloads.ts'
import { openChildren } from '../../runs/workable.ts'
import { entriesNeededBy } from '../../state/index/dependency-rows.ts'
import { openEntries } from '../../state/index/list-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { derivedStatus } from '../../workspace/views/task-status.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { slotsOf, taskLimit, type WorkOptions } from '../work-options.ts'
import { filesOf } from './busy-files.ts'
import { checkNamed } from './check-named.ts'
import { calledAgent } from './may-call.ts'
import { describeRuns, type PlannedRun, type PlannedTask } from './planned-run.ts'
import {
  filesInUse,
  knownRed,
  type Looking,
  type Why,
  whyNoStart,
  whyNotRunning,
  whyUnstartable,
} from './why-not-running.ts'

export interface WorkPlan {
  /** How many run at once. */
  workers: number
  /** The runs of one batch run in parallel. */
  batches: PlannedRun[][]
  not_run: (Why & { key: string | null; title: string })[]
}

export async function planWork(ws: Workspace, options: WorkOptions): Promise<WorkPlan> {
  assertAllowed('work', ws.actor)
  const config = await loadConfiguration(ws)
  await assertTrusted(ws, config)
  const view = readLedger(ws)
  const { uids: named, refused } = checkNamed(view, config.budgets, options)
  const looking: Looking = { view, config, busy: filesInUse(ws, options.takeOver ? named : []), options }
  const tasks = named.length > 0 ? tasksOf(view, named) : openTasks(view)
  const isHeld = named.length === 0 && options.baseCheck !== false && knownRed(ws, config) !== null
  const free = isHeld ? [] : named.length > 0 ? tasks : tasks.filter((task) => isFree(view, task))
  const plannable = free.filter((task) => !isRefused(looking, task)).map((task) => plannableTask(looking, task, named))
  const workers = slotsOf(options, config)
  const batches = planBatches(plannable, { slots: workers, limit: taskLimit(options) })
  const planned = new Set(batches.flat().map(({ uid }) => uid))
  const all = [...tasks, ...refused.map(({ task }) => task)]
  const rest = all.filter(({ uid }) => !planned.has(uid)).sort((a, b) => a.number - b.number)
  return {
    workers,
    batches: describeRuns(looking, options, batches),
    not_run: rest.map((task) => ({ ...whyNotRunning(looking, task), key: task.key ?? null, title: titleOf(task) })),
  }
}

function tasksOf(view: LedgerView, uids: readonly string[]): Task[] {
  return uids.flatMap((uid) => taskOf(view.ws.state, view.row.lid, uid) ?? [])
}

/** All unfinished tasks, in the order in which they would start. */
function openTasks(view: LedgerView): Task[] {
  const open = openEntries(view.ws.state, view.row.lid)
  const tasks = tasksOf(
    view,
    open.map(({ uid }) => uid),
  )
  return tasks.sort(compareReady)
}

/** Open, held by nobody, not on hold and without a question. The plan shows whether its dependencies come first. */
function isFree(view: LedgerView, task: Task): boolean {
  const row = entry(view, task.uid)
  return row !== undefined && isUnstarted({ status: derivedStatus(view, row) }) && !task.on_hold && row.asks === 0
}

/** The task would be refused when it starts. If it builds on other tasks of the plan, their work will exist by then. */
function isRefused(looking: Looking, task: Task): boolean {
  if (whyUnstartable(looking, task) !== null) return true
  return openNeeds(looking.view, task.uid).length === 0 && whyNoStart(looking, task) !== null
}

function plannableTask(looking: Looking, task: Task, named: readonly string[]): PlannedTask {
  const { view, config } = looking
  const isNamed = named.includes(task.uid)
  const children = isNamed ? [] : openChildren(view, task.uid).map(({ uid }) => uid)
  // A task that a person names starts now.
  const own = isNamed ? null : notBefore(task, config.retry.backoff_seconds)
  const moment = isNamed ? null : (agentFreeAt(looking, task) ?? own)
  const isResting = moment !== null && moment > Date.parse(view.ws.now())
  return {
    uid: task.uid,
    task,
    files: filesOf(task),
    needs: [...openNeeds(view, task.uid), ...children],
    notBefore: isResting ? moment : null,
    isResting,
  }
}

/** When its agent may be called again; null: it is not overloaded. */
function agentFreeAt({ view, config, options }: Looking, task: Task): number | null {
  const overloaded = overloadedAgents(view.ws, config.retry.backoff_seconds)
  return overloaded.size === 0 ? null : (overloaded.get(calledAgent(view, config, task, options) ?? '') ?? null)
}

/** The uids of its unfinished dependencies. */
function openNeeds(view: LedgerView, uid: string): string[] {
  return entriesNeededBy(view.ws.state, view.row.lid, uid)
    .filter((needed) => needed.uid === null || isOpen(needed))
    .map((needed) => needed.uid ?? needed.needed)
}
