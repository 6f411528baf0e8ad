import { mayHaveLaterEdits } from '../core/ledger/later-edit-names.ts'
import { withLaterEdits } from '../core/ledger/later-edits.ts'
import { separateExtra } from '../core/ledger/written-task.ts'
import type { Task } from '../core/task/task.ts'

/** A line of a task file as a task, or why it is not one. */
export function readTaskLine(json: string): { task: Task } | { why: string } {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { why: 'not JSON' }
  }
  if (mayHaveLaterEdits(json) && isRecord(value)) value = withLaterEdits(value)
  schema ??= loadSchema()
  const parsed = schema.safeParse(value)
  if (parsed.success) return { task: separateExtra(parsed.data) }
  const issue = parsed.error.issues[0]
  return { why: issue ? `${issue.path.join('.') || 'line'}: ${issue.message}` : 'not a task' }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

// Most commands find the index current and read no line: they load neither the schema nor zod, half a millisecond.
let schema: ReturnType<typeof loadSchema> | undefined

function loadSchema() {
  const { lineSchema } = require('./task-line-schema.ts') as typeof import('./task-line-schema.ts')
  return lineSchema()
}
