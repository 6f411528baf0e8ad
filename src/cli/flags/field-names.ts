import { nearestWord } from '../../core/config/nearest-key.ts'
import { printable } from '../../core/text/printable.ts'
import { UserError } from '../../core/user-error.ts'
import type { InboxItem } from '../../reports/inbox-item.ts'
import type { readWorkflow } from '../../reports/workflow-state.ts'
import type { taskHistory } from '../../workspace/ledger/task-history.ts'
import type { FoundTask } from '../../workspace/search/search-tasks.ts'
import type { TreeLine } from '../../workspace/views/read-outline.ts'
import type { TaskView } from '../../workspace/views/views.ts'

/** What the rows of a command are. Their fields are those that `--json` prints. */
interface RowsOf {
  task: TaskView
  line: TreeLine
  change: ReturnType<typeof taskHistory>[number]
  found: FoundTask
  entry: InboxItem
  summary: Awaited<ReturnType<typeof readWorkflow>>
}

export type RowKind = keyof RowsOf

const NAMES: { [Kind in RowKind]: Record<keyof RowsOf[Kind], true> } = {
  found: {
    number: true,
    id: true,
    key: true,
    title: true,
    status: true,
    type: true,
    ledger: true,
    field: true,
    artifact: true,
    snippet: true,
    matches: true,
  },
  task: {
    id: true,
    content: true,
    status: true,
    created_at: true,
    created_by: true,
    after: true,
    closed_at: true,
    closed_commit: true,
    notes: true,
    number: true,
    uid: true,
    title: true,
    type: true,
    priority: true,
    group: true,
    key: true,
    depends_on: true,
    based_on: true,
    parent: true,
    children: true,
    blocked_by: true,
    running_on: true,
    branch: true,
    plan_file: true,
    project: true,
    assigned_agent: true,
    milestone_id: true,
    linear_issue_id: true,
    user_story: true,
    estimated_complexity: true,
    acceptance_criteria: true,
    files_to_create: true,
    files_to_modify: true,
    test_files: true,
    locks: true,
    create_review: true,
    same_branch: true,
    auto_review: true,
    max_review_cycles: true,
    review_cycle: true,
    final_verdict: true,
    max_attempts: true,
    attempts: true,
    commits: true,
    artifacts: true,
    runs: true,
    phases: true,
    landings: true,
    assignments: true,
    archived: true,
    on_hold: true,
    asks: true,
    question: true,
    ledger: true,
  },
  line: {
    number: true,
    id: true,
    parent: true,
    title: true,
    status: true,
    assigned_agent: true,
    agent_status: true,
    plan_file: true,
    on_hold: true,
    depth: true,
    current: true,
  },
  change: {
    commit: true,
    parents: true,
    at: true,
    by: true,
    mode: true,
    run: true,
    undoes: true,
    subject: true,
  },
  entry: {
    task: true,
    code: true,
    detail: true,
    commands: true,
    subject: true,
    cycle_texts: true,
  },
  summary: {
    total: true,
    pending: true,
    in_progress: true,
    completed: true,
    failed: true,
    blocked: true,
    skipped: true,
    current_task_id: true,
    current_task_ids: true,
    in_flight_task_ids: true,
    completed_task_ids: true,
    failed_task_ids: true,
    unverified: true,
    progress: true,
    tasks: true,
    milestones: true,
    state: true,
  },
}

/** The fields that were asked for, in this order and each once. */
export function readFields(kind: RowKind, given: string): string[] {
  const known = Object.keys(NAMES[kind])
  const names = new Set(given.split(',').map((name) => name.trim()))
  names.delete('')
  if (names.size === 0) throw usage('--fields needs the names of fields', known)
  for (const name of names) if (!known.includes(name)) throw usage(`There is no field ${printable(name)}`, known, name)
  return [...names]
}

function usage(message: string, known: readonly string[], name = ''): UserError {
  const nearest = nearestWord(name, known)
  const meant = nearest === null ? '' : `Did you mean ${nearest}? `
  return new UserError('UNKNOWN_FIELD', message, { hint: `${meant}Fields: ${known.join(', ')}`, exitCode: 2 })
}

/** The last name of the list is being typed. */
export function proposeFields(kind: RowKind, partial: string): readonly string[] {
  const given = partial.split(',').slice(0, -1)
  const before = given.map((name) => `${name},`).join('')
  return Object.keys(NAMES[kind])
    .filter((name) => !given.includes(name))
    .map((name) => before + name)
}
