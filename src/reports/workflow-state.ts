/** The state of the whole workflow for other programs: its fields and its form of a task are public. */

import { effective } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import type { Milestone } from '../core/graph/milestones-of-tasks.ts'
import { lastFailure } from '../core/run/run-rules.ts'
import { scoreTask } from '../core/size/complexity.ts'
import type { Summary } from '../core/task/summarise.ts'
import { type DerivedStatus, dependenciesOf, type Priority, type Task, titleOf, uidOf } from '../core/task/task.ts'
import { scoreContext } from '../planning/split/score-task.ts'
import { tasksOfRows } from '../state/index/read-tasks.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readSummary } from './read-summary.ts'

export interface WorkflowState {
  tasks: WorkflowTask[]
  milestones: Milestone[]
  current_task_id: string | null
  current_task_ids: string[]
  completed_task_ids: string[]
  failed_task_ids: string[]
  in_flight_task_ids: string[]
}

interface WorkflowTask {
  /** The key if there is one, otherwise the id. */
  id: string
  title: string
  user_story: string
  acceptance_criteria: string[]
  files_to_create: string[]
  files_to_modify: string[]
  test_files: string[]
  dependencies: string[]
  milestone_id: string | null
  status: DerivedStatus
  priority: Priority
  /** The task's own value, otherwise derived from its score. */
  estimated_complexity: 'low' | 'medium' | 'high'
  attempts: number
  max_attempts: number
  implementation_notes: string
  error: string | null
  linear_issue_id: string | null
}

/** The summary, and nested in it the state that it summarizes, because both have a field `tasks`. */
export async function readWorkflow(ws: Workspace): Promise<Summary & { state: WorkflowState }> {
  const config = await loadConfiguration(ws)
  const summary = readSummary(ws)
  const view = readLinkedLedger(ws)
  const { milestones, current_task_id, current_task_ids } = summary
  const { completed_task_ids, failed_task_ids, in_flight_task_ids } = summary
  const state = { current_task_id, current_task_ids, completed_task_ids, failed_task_ids, in_flight_task_ids }
  return { ...summary, state: { tasks: workflowTasks(view, config), milestones, ...state } }
}

function workflowTasks(view: LedgerView, config: Config): WorkflowTask[] {
  const rows = liveRows(view)
  const tasks = tasksOfRows(view.ws.state, rows)
  const known: Known = {
    tasks: new Map(tasks.map((task) => [task.uid, task])),
    names: new Map(rows.map(({ uid, key, id }) => [uid, key ?? id])),
  }
  return rows.map((row, at) => {
    const task = tasks[at] as Task
    const settled = { id: row.id, status: derivedStatus(view, row), ...settle(view, task, { config, known }) }
    return workflowTask(view, task, { settled, known })
  })
}

/** By uid, what was read of all tasks at once. */
interface Known {
  tasks: ReadonlyMap<string, Task>
  names: ReadonlyMap<string, string>
}

type Settled = Pick<WorkflowTask, 'id' | 'status' | 'estimated_complexity' | 'max_attempts'>

/** Fills in the defaults for fields that the task does not set. */
function settle(view: LedgerView, task: Task, { config, known }: { config: Config; known: Known }) {
  const context = scoreContext(view, config.task_size_limits, task, known.tasks)
  return {
    estimated_complexity: task.estimated_complexity ?? ESTIMATES[scoreTask(task, context).level],
    max_attempts: task.max_attempts ?? effective(config, task.type).max_attempts,
  }
}

/** Scores have four levels, but estimates only three words. */
const ESTIMATES = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high', CRITICAL: 'high' } as const

function workflowTask(
  view: LedgerView,
  task: Task,
  { settled, known }: { settled: Settled; known: Known },
): WorkflowTask {
  const error = task.status === 'completed' ? null : lastFailure(task)
  return {
    id: task.key ?? settled.id,
    title: titleOf(task),
    user_story: task.user_story ?? '',
    acceptance_criteria: task.acceptance_criteria ?? [],
    files_to_create: task.files_to_create ?? [],
    files_to_modify: task.files_to_modify ?? [],
    test_files: task.test_files ?? [],
    dependencies: dependenciesOf(task).map((ref) => known.names.get(uidOf(ref)) ?? nameOf(view, uidOf(ref))),
    milestone_id: task.milestone_id ?? null,
    status: settled.status,
    priority: task.priority,
    estimated_complexity: settled.estimated_complexity,
    attempts: task.runs.length,
    max_attempts: settled.max_attempts,
    implementation_notes: task.notes.flatMap(({ text, retracted }) => (retracted ? [] : [text])).join('\n'),
    error: error === null ? null : `${error.reason}: ${error.detail ?? ''}`.replace(/: $/, ''),
    linear_issue_id: task.linear_issue_id ?? null,
  }
}

function nameOf(view: LedgerView, uid: string): string {
  const row = entry(view, uid)
  return row?.key ?? row?.id ?? `task-${uid.slice(0, 12)}`
}
