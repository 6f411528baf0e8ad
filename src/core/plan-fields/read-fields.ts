import { readDependencyText, type StatedDependency } from '../plan/dependency-text.ts'
import type { PlanRemark, RawTask } from '../plan/plan-model.ts'
import type { PlanLine } from '../plan-markdown/lines/plan-lines.ts'
import { bodyText, type Field, readTaskBody, type TaskBody } from '../plan-markdown/task-body.ts'
import { isUndecided } from '../size/complexity-words.ts'
import { isLockName } from '../task/lock-name.ts'
import { TASK_TYPES } from '../task/task.ts'
import { shorten } from '../text/shorten.ts'
import { readFieldLabel } from './field-names.ts'
import {
  describeStatus,
  isEmptyCriterion,
  isEmptyValue,
  nearestPriority,
  readPriority,
  readSize,
  readStatus,
} from './field-values.ts'
import { describeOutside, readFileNames } from './file-names.ts'
import { joinScenarios } from './join-scenarios.ts'

export type ReadTask = Omit<RawTask, 'title' | 'name' | 'parent' | 'milestone' | 'line'> & {
  ownKey?: string
  problems: PlanRemark[]
  warnings: PlanRemark[]
}

/** Reads all fields of a task from the lines below it. */
export function readFields(lines: readonly PlanLine[]): ReadTask {
  const body = readTaskBody(lines)
  const task: ReadTask = {
    ...{ body: '', acceptance_criteria: [], files_to_create: [], files_to_modify: [], test_files: [] },
    ...{ waitsFor: [], done: false, problems: [], warnings: [] },
  }
  const kept = new Set(body.fields.filter((field) => !readField(task, field)))
  const story = task.user_story === undefined ? takeStory(body) : null
  if (story !== null) task.user_story = story
  task.body = bodyText(body, kept)
  return task
}

function criteriaIn(field: Field): string[] {
  return joinScenarios(field.values)
    .map(({ text }) => text)
    .filter((criterion) => !isEmptyCriterion(criterion))
}

/** False if the field's lines belong to the text as well, or instead. */
function readField(task: ReadTask, field: Field): boolean {
  const text = field.values
    .map((value) => value.text)
    .join(' ')
    .trim()
  switch (field.name) {
    case 'create':
    case 'modify':
    case 'tests':
    case 'files':
      return readFiles(task, field)
    case 'waits':
      return readDependencyField(task, field)
    case 'criteria':
      task.acceptance_criteria.push(...criteriaIn(field))
      return true
    case 'story':
      if (text !== '') task.user_story = withoutMarks(text)
      return true
    case 'priority':
      return readPriorityField(task, field, text)
    case 'complexity':
      return readSizeField(task, field, text)
    case 'status':
      return readStatusField(task, field, text)
    case 'type':
      return readTypeField(task, text)
    case 'milestone':
      if (!isEmptyValue(text) && !isUndecided(text)) task.milestoneName = { line: field.line, why: withoutMarks(text) }
      return true
    case 'key':
      if (!/^[\w.-]{1,40}$/.test(withoutMarks(text))) return false
      task.ownKey = withoutMarks(text)
      return true
    case 'attempts':
      return readAttempts(task, field, text)
    case 'linear':
      task.linear_issue_id = withoutMarks(text)
      return text !== ''
    case 'locks':
      return readLocks(task, text)
    case 'description':
      return unlabel(field)
    default:
      return field.name satisfies never
  }
}

/** `Locks: db, printer`: names, and not a sentence. */
function readLocks(task: ReadTask, text: string): boolean {
  const names = text.split(',').map((name) => withoutMarks(name.trim()))
  if (!names.every(isLockName)) return false
  task.locks = names
  return true
}

function readFiles(task: ReadTask, field: Field): boolean {
  const named = field.values
    .filter(({ text }) => !isEmptyValue(text))
    .map((value) => ({ value, names: readFileNames(value.text) }))
  const empty = named.filter(({ names }) => names.files.length === 0 && names.outside.length === 0)
  const bad = empty.filter(({ value }) => !value.isNote)
  if (field.isWeak && (bad.length > 0 || named.length === empty.length))
    return field.name === 'files' && named.length === 0
  for (const { value, names } of named) {
    const stated = field.name === 'tests' ? null : statedRole(value.text)
    for (const { path, role } of names.files) listFor(task, stated ?? field.name, role).add(path)
  }
  for (const { value, names } of named)
    for (const path of names.outside) task.warnings.push({ line: value.line, why: describeOutside(path) })
  for (const { value, names } of named)
    for (const path of names.spaced)
      task.warnings.push({
        line: value.line,
        why: `'${shorten(path, 60)}' is read as one path; put it in backticks to be sure`,
      })
  for (const { value } of bad)
    task.warnings.push({
      line: value.line,
      why: `'${shorten(value.text, 60)}' does not name a file; it is kept as text`,
    })
  return empty.length === 0
}

/** `Update x.ts` below "Files to create", or `x.ts (new)` below "Files to modify". */
function statedRole(text: string): 'create' | 'modify' | null {
  if (/^(?:create|new)\b|[[(](?:new|create[sd]?)[\])]/i.test(text)) return 'create'
  return /^(?:update|modify|edit|extend|change)\b|[[(](?:modif(?:y|ied)|updated?|existing|edit)[\])]/i.test(text)
    ? 'modify'
    : null
}

function listFor(task: ReadTask, name: Field['name'], role: 'create' | 'modify' | 'test' | null) {
  const kind = name === 'files' ? (role ?? 'modify') : name
  const list = kind === 'create' ? 'files_to_create' : kind === 'modify' ? 'files_to_modify' : 'test_files'
  return {
    add: (path: string) => {
      if (!task[list].includes(path)) task[list].push(path)
    },
  }
}

function readDependencyField(task: ReadTask, field: Field): boolean {
  const waits = field.values.map((value) => ({ value, waits: readDependencyText(value.text) }))
  const isProse = waits.some(({ waits }) => waits.some((wait) => wait.kind === 'words' || isOthers(wait)))
  if (field.isWeak && (isProse || waits.every(({ waits }) => waits.length === 0)))
    return !isProse && field.values.some(({ text }) => isEmptyValue(text))
  task.waitsFor.push(...field.values)
  return !isProse
}

/** Whether it names tasks is only known with the whole plan. */
function isOthers(wait: StatedDependency): boolean {
  return wait.kind === 'before' && wait.which === 'others'
}

function readPriorityField(task: ReadTask, field: Field, text: string): boolean {
  const { line } = field
  const exact = readPriority(text)
  const priority = exact ?? nearestPriority(text)
  if (priority !== null) task.priority = priority
  if (priority === null && !isEmptyValue(text) && !isUndecided(text))
    task.problems.push({
      line,
      why: `'${shorten(text, 60)}' is not a priority: use critical, high, medium, low, or P0 to P3`,
    })
  else if (priority !== exact)
    task.warnings.push({ line, why: `'${shorten(text, 60)}' is read as priority ${priority}` })
  return true
}

function readSizeField(task: ReadTask, field: Field, text: string): boolean {
  const size = readSize(text)
  if (size !== null) task.estimated_complexity = size
  else if (!isEmptyValue(text) && !isUndecided(text))
    task.warnings.push({ line: field.line, why: `'${shorten(text, 60)}' is not a complexity: use low, medium or high` })
  return size !== null || text === ''
}

function readTypeField(task: ReadTask, text: string): boolean {
  const type = TASK_TYPES.find((known) => known === withoutMarks(text).toLowerCase())
  if (type !== undefined) task.type = type
  return type !== undefined
}

function readStatusField(task: ReadTask, field: Field, text: string): boolean {
  const status = readStatus(text)
  if (status === 'done') task.done = true
  if (status === 'skipped') task.skipped = true
  if (status === null) task.warnings.push({ line: field.line, why: describeStatus(shorten(text, 60)) })
  return true
}

function readAttempts(task: ReadTask, field: Field, text: string): boolean {
  const attempts = Number(text)
  if (Number.isInteger(attempts) && attempts > 0 && attempts < 1000) task.max_attempts = attempts
  else task.problems.push({ line: field.line, why: `'${shorten(text, 60)}' is not a number of attempts` })
  return true
}

/** Keeps the text, drops the word `Description:` before it. */
function unlabel(field: Field): boolean {
  const [first, ...rest] = field.source
  if (!first) return true
  const value = readFieldLabel(first.text)?.value ?? ''
  field.source = [{ ...first, raw: ' '.repeat(first.indent) + value, kind: 'text' }, ...rest]
  return false
}

const STORY = /^(?:\*{0,2}|_?)As an? .{1,200}?\bI(?:'d)? (?:want|need|can|would|like|should)\b/i

/** `As a user, I want …` if no field contains the story; its paragraph is taken out of the text. */
function takeStory(body: TaskBody): string | null {
  const isStory = (part: PlanLine | Field | undefined): part is PlanLine =>
    part !== undefined && 'kind' in part && (part.kind === 'text' || part.kind === 'item')
  const start = body.text.findIndex((part) => isStory(part) && STORY.test(part.text.replaceAll('**', '')))
  if (start === -1) return null
  let end = start + 1
  while (isStory(body.text[end]) && (body.text[end] as PlanLine).kind === 'text') end++
  return withoutMarks((body.text.splice(start, end - start) as PlanLine[]).map(({ text }) => text).join(' '))
}

function withoutMarks(text: string): string {
  return text
    .replace(/\*\*|__/g, '')
    .replace(/^`([^`]*)`$/, '$1')
    .trim()
}
