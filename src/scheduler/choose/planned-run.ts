import { effective } from '../../core/config/effective.ts'
import type { Plannable } from '../../core/graph/plan-batches.ts'
import { nextAttempt } from '../../core/run/run-rules.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import { dependenciesOf, type Task, type TaskType, titleOf, uidOf } from '../../core/task/task.ts'
import { readRef } from '../../platform/git/refs.ts'
import { agentNow } from '../../runs/choose-agent.ts'
import { branchOf, startOf } from '../../runs/plan-run.ts'
import { isReviewed, maxCyclesOf } from '../../runs/review/plan-review.ts'
import { entry } from '../../workspace/ledger/ledger-view.ts'
import type { WorkOptions } from '../work-options.ts'
import type { Looking } from './why-not-running.ts'

export interface PlannedTask extends Plannable {
  task: Task
  /** Milliseconds since 1970; null: immediately. */
  notBefore: number | null
}

/** A run that would be started. */
export interface PlannedRun {
  number: number
  id: string
  key: string | null
  title: string
  type: TaskType
  attempt: number
  agent: string
  /** Null: the client chooses. */
  model: string | null
  /** Null for tasks that make a text and no commits. */
  branch: string | null
  start: {
    /** Null: the work of a task that runs before it. */
    commit: string | null
    /** Unmerged work of others that it builds on. */
    merge: string[]
    /** Numbers of tasks of this plan whose work it will build on. */
    builds_on_numbers: number[]
  }
  not_before: string | null
  /** The maximum number of agent calls, with --ralph. */
  max_iterations: number | null
  /** The maximum number of reviews within the run. */
  max_review_cycles: number | null
  /** A review of it follows immediately. */
  review: boolean
}

/** Describes the planned runs in their order: two runs never get the same new branch. */
export function describeRuns(
  looking: Looking,
  options: WorkOptions,
  batches: readonly PlannedTask[][],
): PlannedRun[][] {
  const branches = new Map<string, string>()
  const planned = new Set(batches.flat().map(({ uid }) => uid))
  return batches.map((batch) => batch.map((one) => describeRun(looking, options, one, { branches, planned })))
}

interface Before {
  /** Branches by uid. */
  branches: Map<string, string>
  planned: ReadonlySet<string>
}

function describeRun(looking: Looking, options: WorkOptions, one: PlannedTask, before: Before): PlannedRun {
  const { view, config } = looking
  const { task } = one
  const settings = effective(config, task.type)
  const chosen = agentNow(view.ws, config, task, options)
  const isText = OUTPUT_FOLDERS[task.type] !== undefined
  const branch = isText ? null : branchOf(view, task, before.branches)
  if (branch !== null) before.branches.set(task.uid, branch)
  return {
    number: entry(view, task.uid)?.number ?? task.number,
    id: task.id,
    key: task.key ?? null,
    title: titleOf(task),
    type: task.type,
    attempt: nextAttempt(task),
    agent: chosen.agent.name,
    model: chosen.model === undefined ? settings.model : chosen.model,
    branch,
    start: startingFrom(looking, task, branch, before.planned),
    not_before: one.notBefore === null ? null : new Date(one.notBefore).toISOString(),
    max_iterations: options.ralph && !isText ? (options.maxIterations ?? config.ralph.max_iterations) : null,
    max_review_cycles: !isText && isReviewed(config, task) ? maxCyclesOf(task, settings) : null,
    review: task.create_review === true && !isText,
  }
}

/** An existing branch is continued. */
function startingFrom(
  { view }: Looking,
  task: Task,
  branch: string | null,
  planned: ReadonlySet<string>,
): PlannedRun['start'] {
  const builds_on_numbers = dependenciesOf(task)
    .map(uidOf)
    .filter((uid) => planned.has(uid))
    .map((uid) => entry(view, uid)?.number ?? 0)
  if (task.type === 'review' && builds_on_numbers.length > 0) return { commit: null, merge: [], builds_on_numbers }
  const { from, merge } = startOf(view, task, branch)
  const tip = branch === null ? null : readRef(view.ws.repo, `refs/heads/${branch}`)
  return { commit: tip ?? from, merge, builds_on_numbers }
}
