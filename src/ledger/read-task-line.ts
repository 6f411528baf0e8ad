import { mayHaveLaterEdits } from '../core/ledger/later-edit-names.ts'
import { withLaterEdits } from '../core/ledger/later-edits.ts'
import { isTaskLine, taskLine } from '../core/ledger/task-line.ts'
import { separateExtra } from '../core/ledger/written-task.ts'
import type { Task } from '../core/task/task.ts'
import { readPlainTask } from './read-plain-task.ts'
import { readUsualLine } from './read-usual-line.ts'

/** A line of a task file as a task, or why it is not one. */
export function readTaskLine(json: string): { task: Task } | { why: string } {
  const usual = readUsualLine(json)
  if (usual !== null) return { task: usual }
  const fields = parseLine(json)
  const plain = fields === null ? null : plainTask(json, fields.value)
  if (plain !== null) return { task: plain }
  return fields === null ? { why: 'not JSON' } : readWithSchema(json, fields.value)
}

/** The same with what gza would write of the task (taskLine). */
export function readSpelledLine(json: string): { task: Task; full: string } | { why: string } {
  const usual = readUsualLine(json)
  if (usual !== null) return { task: usual, full: json }
  const fields = parseLine(json)
  if (fields === null) return { why: 'not JSON' }
  const plain = plainTask(json, fields.value)
  if (plain !== null && isTaskLine(json, fields.value as Record<string, unknown>)) return { task: plain, full: json }
  const read = plain === null ? readWithSchema(json, fields.value) : { task: plain }
  return 'why' in read ? read : { task: read.task, full: taskLine(read.task) }
}

function parseLine(json: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return null
  }
}

function plainTask(json: string, value: unknown): Task | null {
  return isRecord(value) && !mayHaveLaterEdits(json) ? readPlainTask(value) : null
}

function readWithSchema(json: string, value: unknown): { task: Task } | { why: string } {
  schema ??= loadSchema()
  const parsed = schema.safeParse(mayHaveLaterEdits(json) && isRecord(value) ? withLaterEdits(value) : value)
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
