/**
 * Reads lines as gza writes most of them, without the schema. What is accepted here, the schema accepts too, with the same
 * result; everything else is left to it.
 */
import { defaults, refsIn, type WrittenTask } from '../core/ledger/written-task.ts'
import { LAST_NUMBER, PRIORITIES, STATUSES, TASK_TYPES, type Task, VERDICTS } from '../core/task/task.ts'

/** The task of a parsed line; null: the schema must decide. */
export function readPlainTask(line: Record<string, unknown>): Task | null {
  const task = defaults() as unknown as Record<string, unknown>
  let required = 0
  for (const name in line) {
    const value = line[name]
    if (isRequired(name, value)) required++
    else if (!isOptional(name, value)) return null
    task[name] = value
  }
  const { id, uid } = line as unknown as Task
  if (required !== REQUIRED_FIELDS || !uid.startsWith(id.slice('task-'.length))) return null
  task.after = refsIn((line.after ?? null) as WrittenTask['after'])
  return task as unknown as Task
}

const REQUIRED_FIELDS = 11

function isRequired(name: string, value: unknown): boolean {
  switch (name) {
    case 'id':
      return isText(value) && ID.test(value)
    case 'uid':
      return isText(value) && UID.test(value)
    case 'content':
    case 'created_at':
    case 'created_by':
    case 'salt':
      return isText(value)
    case 'status':
      return isOneOf(STATUSES, value)
    case 'closed_at':
    case 'closed_commit':
      return value === null || isText(value)
    case 'notes':
      return isListOf(value, isPlainNote)
    case 'number':
      return isNumber(value)
    default:
      return false
  }
}

/** Edits, phases and landings are rare, and have rules of their own. */
function isOptional(name: string, value: unknown): boolean {
  switch (name) {
    case 'after':
      return value === null || isRef(value) || isListOf(value, isRef)
    case 'depends_on':
    case 'based_on':
      return isListOf(value, isRef)
    case 'parent':
      return isRef(value)
    case 'type':
      return isOneOf(TASK_TYPES, value)
    case 'priority':
      return isOneOf(PRIORITIES, value)
    case 'final_verdict':
      return isOneOf(VERDICTS, value)
    case 'estimated_complexity':
      return value === 'low' || value === 'medium' || value === 'high'
    case 'key':
    case 'title':
    case 'group':
    case 'branch':
    case 'user_story':
    case 'milestone_id':
    case 'linear_issue_id':
    case 'plan_file':
    case 'project':
    case 'assigned_agent':
    case 'moved_to':
    case 'original':
    case 'created_head':
    case 'closed_by':
    case 'closed_head':
    case 'closed_branch':
      return isText(value)
    case 'acceptance_criteria':
    case 'files_to_create':
    case 'files_to_modify':
    case 'test_files':
    case 'locks':
    case 'todo_item':
    case 'commits':
      return isListOf(value, isText)
    case 'create_review':
    case 'same_branch':
    case 'auto_review':
    case 'on_hold':
    case 'archived':
    case 'deleted':
      return typeof value === 'boolean'
    case 'max_attempts':
    case 'max_review_cycles':
    case 'generation':
    case 'link':
      return isCount(value)
    case 'renumbered':
      return isListOf(value, isNumber)
    case 'runs':
      return isListOf(value, isPlainRun)
    default:
      return false
  }
}

const ID = /^task-[0-9a-f]{4,40}$/
const UID = /^[0-9a-f]{40}$/
const REF = /^task-[0-9a-f]{40}$/

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isRef(value: unknown): boolean {
  return isText(value) && REF.test(value)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LAST_NUMBER
}

function isOneOf(words: readonly string[], value: unknown): boolean {
  return words.includes(value as string)
}

function isListOf(value: unknown, isValid: (element: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false
  for (const element of value) if (!isValid(element)) return false
  return true
}

function isPlainNote(value: unknown): boolean {
  if (!isRecord(value)) return false
  for (const name in value) if (!NOTE_FIELDS.includes(name)) return false
  const { id, at, by, text, retracted } = value
  return isText(id) && isText(at) && isText(by) && isText(text) && (retracted === undefined || retracted === true)
}

const NOTE_FIELDS = ['id', 'at', 'by', 'text', 'retracted']

function isPlainRun(value: unknown): boolean {
  if (!isRecord(value) || Object.hasOwn(value, '__proto__')) return false
  const { run, attempt, machine, started_at } = value
  return isText(run) && isCount(attempt) && isText(machine) && isText(started_at)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
