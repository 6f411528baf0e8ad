/** What a user typed for a task's fields, checked and converted for the ledger. */

import { oneOf } from '../../core/one-of.ts'
import { command } from '../../core/sentence.ts'
import { isLockName } from '../../core/task/lock-name.ts'
import type { NewTask } from '../../core/task/operations.ts'
import { parseRef } from '../../core/task/ref/resolve-ref.ts'
import {
  type Editable,
  PRIORITIES,
  refOf,
  TASK_TYPES,
  type TaskRef,
  VERDICTS,
  type Verdict,
} from '../../core/task/task.ts'
import { printable } from '../../core/text/printable.ts'
import { UserError } from '../../core/user-error.ts'
import { findTask, type LedgerView } from '../ledger/ledger-view.ts'

/** References are as typed: number, id, prefix or key. An empty string or list clears the field. */
export interface FieldInput {
  content?: string
  type?: string
  priority?: string
  group?: string
  parent?: string
  key?: string
  title?: string
  after?: string[]
  depends_on?: string[]
  based_on?: string[]
  acceptance_criteria?: string[]
  files_to_create?: string[]
  files_to_modify?: string[]
  test_files?: string[]
  locks?: string[]
  create_review?: boolean
  same_branch?: boolean
  auto_review?: boolean
  max_review_cycles?: number
  max_attempts?: number
  milestone_id?: string
  plan_file?: string
  project?: string
  assigned_agent?: string
  user_story?: string
  estimated_complexity?: string
}

export interface AddInput extends FieldInput {
  content: string
}

/** The fields as the ledger stores them; `null` for a field to be cleared. */
export function fieldsFrom(view: LedgerView, input: FieldInput): Partial<Record<keyof Editable, unknown>> {
  const fields: Partial<Record<keyof Editable, unknown>> = {}
  for (const name in input) {
    const value = input[name as keyof FieldInput]
    if (value !== undefined) fields[name as keyof FieldInput] = readField(view, name as keyof FieldInput, value)
  }
  return fields
}

function readField(view: LedgerView, name: keyof FieldInput, value: unknown): unknown {
  switch (name) {
    case 'content':
      return checkedContent(value as string)
    case 'type':
      return oneOf('type', value as string, TASK_TYPES)
    case 'priority':
      return oneOf('priority', value as string, PRIORITIES)
    case 'estimated_complexity':
      return oneOf('estimated complexity', value as string, ['low', 'medium', 'high'])
    case 'after':
    case 'depends_on':
    case 'based_on':
      return refsFrom(view, value as string[])
    case 'locks':
      return checkedLocks(value as string[])
    case 'key':
      return value === '' ? null : checkedKey(value as string)
    case 'parent':
      return value === '' ? null : refsFrom(view, [value as string])[0]
    default:
      return value === '' ? null : value
  }
}

function checkedLocks(names: readonly string[]): readonly string[] {
  const bad = names.find((name) => !isLockName(name))
  if (bad === undefined) return names
  throw new UserError('BAD_LOCK', `'${printable(bad)}' is not the name of a lock`, {
    hint: 'Use letters, digits and -._: as in db or printer-2',
    exitCode: 2,
  })
}

/** A key must not look like a number or an id: those would be tried first. */
function checkedKey(key: string): string {
  const trimmed = key.trim()
  if (trimmed === '') throw new UserError('BAD_KEY', 'The key is blank', { hint: 'A key looks like T2-a', exitCode: 2 })
  if (parseRef(trimmed).kind === 'key') return trimmed
  throw new UserError('BAD_KEY', `'${trimmed}' looks like a number or an id`, {
    hint: 'A key looks like T2-a',
    exitCode: 2,
  })
}

/**
 * A script with an empty variable would file a task that waits for nothing. Only an edit may clear a field this way.
 */
function refuseEmptyRefs({ after, depends_on, based_on, parent }: AddInput): void {
  if (parent === '' || after?.length === 0 || depends_on?.length === 0 || based_on?.length === 0) parseRef('')
}

function refsFrom(view: LedgerView, typed: readonly string[]): TaskRef[] {
  return [...new Set(typed.filter((ref) => ref !== '').map((ref) => refOf(findTask(view, ref))))]
}

export function checkedContent(content: string): string {
  const text = content.replace(/\r\n/g, '\n').trim()
  if (text === '')
    throw new UserError('EMPTY_CONTENT', 'A task needs some content', {
      hint: command`add "What is to be done"`,
      exitCode: 2,
    })
  refuseTooLarge(text, { text: 'content', holder: 'task' })
  return text.toWellFormed()
}

/** 16 MB: more than any task needs, but not so much that every clone of the repository suffers. */
const MOST_MEGABYTES = 16

export function refuseTooLarge(text: string, names: { text: string; holder: string }): void {
  const megabytes = Buffer.byteLength(text) / 1048576
  if (megabytes <= MOST_MEGABYTES) return
  const what = `The ${names.text} has ${Math.ceil(megabytes)} MB; the limit for a ${names.holder} is ${MOST_MEGABYTES} MB`
  throw new UserError('CONTENT_TOO_LARGE', what, { hint: 'Commit the text as a file and name it in the task.' })
}

export function verdictFrom(value: string): Verdict {
  return oneOf('verdict', value, VERDICTS)
}

export function newTaskFrom(view: LedgerView, input: AddInput): NewTask {
  refuseEmptyRefs(input)
  const fields = fieldsFrom(view, input)
  for (const name in fields) if (fields[name as keyof Editable] === null) delete fields[name as keyof Editable]
  return fields as unknown as NewTask
}
