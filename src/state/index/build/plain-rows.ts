/** Rows of tasks that have nothing but what every task has: most of a large ledger. They need a third of the values. */
import type { Task } from '../../../core/task/task.ts'
import { ENTRIES } from '../index-tables.ts'
import { tiesOf } from '../write-entries.ts'

/** Would all other columns have the values of `insertPlain`? */
export function isPlain(task: Task): boolean {
  return (
    hasUsualKind(task) &&
    task.notes.length + task.runs.length + task.phases.length + task.renumbered.length === 0 &&
    task.closed_commit === null &&
    task.closed_branch === undefined &&
    task.final_verdict === undefined &&
    task.max_review_cycles === undefined &&
    task.extra === undefined &&
    tiesOf(task) === 0
  )
}

function hasUsualKind(task: Task): boolean {
  return (
    task.type === 'task' &&
    task.priority === 'medium' &&
    !(task.deleted || task.archived || task.on_hold) &&
    task.moved_to === undefined &&
    task.key === undefined &&
    task.milestone_id === undefined &&
    task.group === undefined &&
    task.parent === undefined &&
    task.plan_file === undefined &&
    task.project === undefined &&
    task.branch === undefined &&
    task.assigned_agent === undefined
  )
}

/** The order of the values that `insertPlain` takes for each row. */
const GIVEN = ['row', 'lid', 'uid', 'place', 'id', 'number', 'title', 'status', 'created_at', 'closed_at', 'unmet']

/** How many values that are. */
export const PLAIN_VALUES = GIVEN.length

/** Text that is neither given nor null. */
const FIXED: Record<string, string> = { type: "'task'", priority: '2', milestone: "'~'" }

export function insertPlain(rows: number): string {
  const others = Object.entries(ENTRIES.columns()).filter(([name]) => !GIVEN.includes(name))
  const values = others.map(([name, { sql }]) => FIXED[name] ?? (sql.includes('NOT NULL') ? '0' : 'NULL'))
  const columns = [...GIVEN, ...others.map(([name]) => name)]
  const row = `(${[...GIVEN.map(() => '?'), ...values].join(', ')})`
  return `INSERT INTO entries (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
}
