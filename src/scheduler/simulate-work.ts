/** `gza simulate`: simulates the open tasks with one, two, … workers. */

import { effective } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import { criticalPath } from '../core/graph/critical-path.ts'
import { cyclicComponents } from '../core/graph/dependency-cycles.ts'
import { compareReady } from '../core/graph/ready-order.ts'
import { type SimulatedTask, simulate } from '../core/graph/simulate-schedule.ts'
import { type Duration, expectDuration, type Recorded, recordDurations } from '../core/run/durations.ts'
import { currentRuns, notBefore } from '../core/run/run-rules.ts'
import { command } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { needRows } from '../state/index/dependency-rows.ts'
import type { Entry } from '../state/index/index-tables.ts'
import { openEntries } from '../state/index/list-entries.ts'
import { tasksInOrder } from '../state/index/read-tasks.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { filesOf } from './choose/busy-files.ts'

export interface Simulation {
  workers: number
  /** One entry for one worker, one for two, and so on. */
  schedules: { workers: number; seconds: number; idle_seconds: number }[]
  /** What all `workers` together would do, in the order in which it starts. Times are in seconds from now. */
  schedule: ScheduledRun[]
  critical_path: { seconds: number; tasks: SimulatedName[] }
  /** How many durations come from past runs, and how many from the size of the task. */
  durations: Record<Duration['basis'], number>
  not_run: (SimulatedName & { code: string })[]
}

interface SimulatedName {
  number: number
  id: string
  key: string | null
  title: string
}

export interface ScheduledRun extends SimulatedName, Duration {
  worker: number
  start_seconds: number
  end_seconds: number
}

export interface SimulateOptions {
  workers?: number
  /** Only the tasks of this group, and what they need. */
  group?: string
}

export async function simulateWork(ws: Workspace, options: SimulateOptions): Promise<Simulation> {
  const config = await loadConfiguration(ws)
  const open = readOpen(readLedger(ws), options.group)
  const playable = open.tasks
    .filter(({ isPlayable }) => isPlayable)
    .map((task) => playableTask(task, open, config))
    .sort((a, b) => Number(b.isRunning) - Number(a.isRunning) || compareReady(a.rank, b.rank))
  const workers = options.workers ?? Math.max(LEAST_ROWS, config.parallel_workers)
  const all = Array.from({ length: workers }, (_, at) => simulate(playable, at + 1))
  const { runs = [], left = [] } = all.at(-1) ?? {}
  const byUid = new Map(open.tasks.map((each) => [each.row.uid, each]))
  const nameOf = (uid: string): SimulatedName => {
    const { number = 0, id = '', key = null, title = '' } = byUid.get(uid)?.row ?? {}
    return { number, id, key, title }
  }
  const durations = new Map(playable.map(({ uid, seconds, basis }) => [uid, { seconds, basis }]))
  const scheduled = runs.map(({ uid, worker, start, end }) => {
    const when = { worker, start_seconds: start, end_seconds: end }
    return { ...nameOf(uid), ...when, ...(durations.get(uid) as Duration) }
  })
  const { seconds, uids } = criticalPath(playable)
  return {
    workers,
    schedules: all.map(({ workers, seconds, idle_seconds }) => ({ workers, seconds, idle_seconds })),
    schedule: scheduled,
    critical_path: { seconds, tasks: uids.map(nameOf) },
    durations: { recorded: countOf(scheduled, 'recorded'), estimated: countOf(scheduled, 'estimated') },
    not_run: whyLeft(open, new Set(left)).map(({ uid, code }) => ({ ...nameOf(uid), code })),
  }
}

/** The ids of the tasks on the critical path, from the first to the last, as `gza simulate` finds it. */
export async function readCriticalPath(ws: Workspace): Promise<string[]> {
  const config = await loadConfiguration(ws)
  const open = readOpen(readLedger(ws), undefined)
  const playable = open.tasks.filter(({ isPlayable }) => isPlayable).map((task) => playableTask(task, open, config))
  const ids = new Map(open.tasks.map(({ row }) => [row.uid, row.id]))
  return criticalPath(playable).uids.flatMap((uid) => ids.get(uid) ?? [])
}

/** A table with one row would not show how many workers are enough. */
const LEAST_ROWS = 4

interface OpenTask {
  row: Entry
  task: Task
  isRunning: boolean
  isPlayable: boolean
}

interface Open {
  view: LedgerView
  tasks: OpenTask[]
  /** By uid: unfinished dependencies and parts. */
  needs: Map<string, string[]>
  hasParts: Set<string>
  recorded: Recorded
}

function readOpen(view: LedgerView, group: string | undefined): Open {
  const { ws, row } = view
  const rows = openEntries(ws.state, row.lid)
  const needs = new Map<string, string[]>(rows.map(({ uid }) => [uid, []]))
  for (const { task, needs: needed } of needRows(ws.state, row.lid, { all: false })) needs.get(task)?.push(needed)
  const hasParts = new Set(rows.flatMap(({ parent }) => parent ?? []))
  for (const { uid, parent } of rows) if (parent !== null) needs.get(parent)?.push(uid)
  const wanted =
    group === undefined
      ? null
      : neededBy(
          rows.filter(({ grp }) => grp === group),
          needs,
        )
  if (wanted?.size === 0)
    throw new UserError('NO_SUCH_GROUP', `No open task is in the group ${group}`, { hint: command`groups` })
  const tasks = new Map<string, Task>()
  const recorded = recordDurations(keeping(tasksInOrder(ws.state, row.lid), needs, tasks))
  const chosen = rows.filter(({ uid }) => wanted?.has(uid) ?? true)
  return {
    view,
    needs,
    hasParts,
    recorded,
    tasks: chosen.map((each) => openTask(view, each, tasks.get(each.uid) as Task)),
  }
}

/** Passes all tasks on and keeps the open ones, so that a hundred thousand lines are parsed only once. */
function* keeping(all: Iterable<Task>, open: ReadonlyMap<string, unknown>, kept: Map<string, Task>): Iterable<Task> {
  for (const task of all) {
    if (open.has(task.uid)) kept.set(task.uid, task)
    yield task
  }
}

function neededBy(rows: readonly Entry[], needs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(rows.map(({ uid }) => uid))
  for (const uid of found) for (const needed of needs.get(uid) ?? []) found.add(needed)
  return found
}

function openTask(view: LedgerView, row: Entry, task: Task): OpenTask {
  const status = derivedStatus(view, row)
  return { row, task, isRunning: status === 'in_progress', isPlayable: status !== 'failed' && !task.on_hold }
}

function playableTask({ row, task, isRunning }: OpenTask, { view, needs, hasParts, recorded }: Open, config: Config) {
  const agent = task.assigned_agent ?? effective(config, task.type).agent
  const { seconds, basis } = expectDuration(task, agent, recorded, config.task_size_limits)
  const now = Date.parse(view.ws.now())
  const moment = isRunning ? null : notBefore(task, config.retry.backoff_seconds)
  const rank = { priority: task.priority, milestone_id: task.milestone_id, number: row.number }
  const simulated: SimulatedTask = {
    uid: row.uid,
    files: filesOf(task),
    needs: needs.get(row.uid) ?? [],
    seconds: isRunning ? Math.max(0, seconds - elapsedOf(task, now)) : seconds,
    earliest: moment === null ? 0 : Math.max(0, (moment - now) / 1000),
    isWhole: hasParts.has(row.uid),
  }
  return { ...simulated, basis, rank, isRunning }
}

function elapsedOf(task: Task, now: number): number {
  const running = currentRuns(task).findLast((run) => run.ended_at === undefined)
  return running === undefined ? 0 : Math.max(0, (now - Date.parse(running.started_at)) / 1000)
}

function countOf(runs: readonly ScheduledRun[], basis: Duration['basis']): number {
  return runs.filter((run) => run.basis === basis).length
}

function whyLeft({ tasks, needs }: Open, left: ReadonlySet<string>): { uid: string; code: string }[] {
  const onCycle = new Set(left.size === 0 ? [] : cyclicComponents(needs).flat())
  return tasks.flatMap(({ row: { uid, status }, task, isPlayable }) => {
    if (!isPlayable) return [{ uid, code: status === 'failed' || !task.on_hold ? 'FAILED' : 'ON_HOLD' }]
    if (!left.has(uid)) return []
    return [{ uid, code: onCycle.has(uid) ? 'DEADLOCK' : 'BLOCKED' }]
  })
}
