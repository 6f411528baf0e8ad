import type { RawTask } from '../plan/plan-model.ts'
import { isUndecided } from '../size/complexity-words.ts'
import { isLockName } from '../task/lock-name.ts'
import { TASK_TYPES } from '../task/task.ts'
import { firstLine } from '../text/first-line.ts'
import { shorten } from '../text/shorten.ts'
import {
  describeStatus,
  isEmptyCriterion,
  isEmptyValue,
  nearestPriority,
  readPriority,
  readSize,
  readStatus,
} from './field-values.ts'
import { readFileGroups, readFileList } from './structured-files.ts'
import { type StructuredField, structuredField } from './structured-names.ts'
import { isRecord, type Path, type TextPosition, type Tree } from './structured-tree.ts'

export interface TaskPlace {
  at: Path
  /** The name before it, if the tasks are an object. */
  key: string
  parent: number | null
}

interface Reading extends TaskPlace {
  tree: Tree
  task: RawTask
  text: string[]
  children: { value: unknown; path: Path } | null
}

/** One task; null if it is not one, which is reported as a problem. */
export function readStructuredTask(
  tree: Tree,
  item: unknown,
  place: TaskPlace,
): { task: RawTask; children: Reading['children'] } | null {
  const position = tree.positionOf(place.at)
  const reading: Reading = { ...place, tree, task: emptyTask(position), text: [], children: null }
  nameTask(reading, place.key)
  if (typeof item === 'string' && item.trim() !== '')
    return { task: { ...reading.task, title: item.trim() }, children: null }
  if (!isRecord(item)) {
    tree.plan.problems.push({ ...position, why: 'a task is an object with a title, or a text' })
    return null
  }
  for (const [name, value] of Object.entries(item)) {
    if (value !== null && value !== undefined) readValue(reading, name, value)
  }
  const { task, text } = reading
  task.title ||= firstLine(text[0] ?? '').trim()
  if (task.title === '') tree.plan.problems.push({ ...position, why: 'a task without a title' })
  task.body = text
    .filter((part) => part !== task.title)
    .join('\n\n')
    .trim()
  return { task, children: reading.children }
}

function emptyTask(position: TextPosition): RawTask {
  return {
    ...{ title: '', body: '', name: { kind: 'counted' }, parent: null, milestone: null, done: false, waitsFor: [] },
    ...{ acceptance_criteria: [], files_to_create: [], files_to_modify: [], test_files: [], ...position },
  }
}

function readValue(reading: Reading, name: string, value: unknown): void {
  const { tree } = reading
  const here = [...reading.at, name]
  const field = structuredField(name)
  if (field === undefined) {
    const known = tree.unknown.get(name)
    if (known) known.count++
    else tree.unknown.set(name, { position: tree.positionOf(here), count: 1 })
    return
  }
  const why = READERS[field](reading, value, here)
  if (why !== null) tree.plan.problems.push({ ...tree.positionOf(here), why: `${name}: ${why}` })
}

type Reader = (reading: Reading, value: unknown, path: Path) => string | null

const A_TEXT = 'must be a text'

const READERS: Record<StructuredField, Reader> = {
  title: ({ task }, value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return A_TEXT
    task.title = String(value)
      .trim()
      .replace(/\s*\n\s*/g, ' ')
    return null
  },
  text: ({ text }, value) => {
    if (typeof value === 'string') text.push(value.trim())
    else if (Array.isArray(value)) text.push(value.map((line) => `- ${plainText(line)}`).join('\n'))
    else return A_TEXT
    return null
  },
  strategy: ({ text }, value) => {
    if (typeof value !== 'string') return A_TEXT
    if (value.trim() !== '') text.push(`Test strategy: ${value.trim()}`)
    return null
  },
  key: (reading, value) => nameTask(reading, value),
  story: ({ task }, value) => {
    if (typeof value !== 'string') return A_TEXT
    task.user_story = value.trim()
    return null
  },
  criteria: ({ task }, value) => {
    for (const one of [value].flat()) {
      if (typeof one !== 'string') return 'must be a list of texts'
      if (!isEmptyCriterion(one) && !task.acceptance_criteria.includes(one.trim()))
        task.acceptance_criteria.push(one.trim())
    }
    return null
  },
  create: (reading, value, path) => readFileList({ ...reading, path }, value, 'files_to_create'),
  modify: (reading, value, path) => readFileList({ ...reading, path }, value, 'files_to_modify'),
  tests: (reading, value, path) => readFileList({ ...reading, path }, value, 'test_files'),
  files: (reading, value, path) => readFileGroups({ ...reading, path }, value),
  waits: readDependencyValue,
  milestone: ({ task, tree }, value, path) => {
    if (typeof value !== 'string' && typeof value !== 'number') return A_TEXT
    const name = typeof value === 'number' ? `M${value}` : value.trim()
    if (name !== '') task.milestoneName = { ...tree.positionOf(path), why: name }
    return null
  },
  priority: ({ task, tree }, value, path) => {
    // On a scale to 5, the highest number may be the most urgent one.
    const exact = readPriority(typeof value === 'number' && value < 5 ? `p${value}` : String(value))
    const priority = exact ?? nearestPriority(String(value))
    if (priority === null)
      return isUndecided(String(value))
        ? null
        : `'${plainText(value)}' is not a priority: use critical, high, medium, low, or P0 to P3`
    task.priority = priority
    if (exact === null)
      tree.plan.warnings.push({
        ...tree.positionOf(path),
        why: `'${plainText(value)}' is read as priority ${priority}`,
      })
    return null
  },
  complexity: ({ task }, value) => {
    const size = readSize(String(value))
    if (size === null && isUndecided(String(value))) return null
    if (size === null) return `'${plainText(value)}' is not a complexity: use low, medium or high`
    task.estimated_complexity = size
    return null
  },
  status: ({ task, tree }, value, path) => {
    const status = typeof value === 'boolean' ? (value ? 'done' : 'open') : readStatus(String(value))
    if (status === 'done') task.done = true
    if (status === 'skipped') task.skipped = true
    if (status === null) tree.plan.warnings.push({ ...tree.positionOf(path), why: describeStatus(plainText(value)) })
    return null
  },
  attempts: ({ task }, value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 999)
      return 'must be a number of at least 1'
    task.max_attempts = value
    return null
  },
  linear: ({ task }, value) => {
    if (typeof value !== 'string') return A_TEXT
    task.linear_issue_id = value
    return null
  },
  locks: ({ task }, value) => {
    const names = [value].flat()
    if (!names.every((name) => typeof name === 'string' && isLockName(name))) return 'must be a list of names'
    task.locks = names as string[]
    return null
  },
  type: ({ task }, value) => {
    const type = TASK_TYPES.find((known) => known === value)
    if (type !== undefined) task.type = type
    return null
  },
  children: (reading, value, path) => {
    reading.children = { value, path }
    return null
  },
  order: () => null,
  ignored: () => null,
}

/** Numbers, also `#4` and quoted ones, refer to the plan's numbering; within a task, to its own children. */
function nameTask({ task, tree, parent }: Reading, value: unknown): string | null {
  if (value === '') return null
  if (typeof value !== 'string' && typeof value !== 'number') return 'must be a text or a number'
  const id = String(value)
    .trim()
    .replace(/^#(?=[\d.]+$)/, '')
  if (/^\d+(?:\.\d+)*$/.test(id)) {
    const above = parent === null ? undefined : tree.plan.tasks[parent]?.name
    const isRelative = above?.kind === 'numbered' && !id.includes('.')
    task.name = { kind: 'numbered', number: isRelative ? `${above.number}.${id}` : id, letter: 'T' }
    return null
  }
  // No command could name an id that begins with a dash.
  if (!/^\w[\w.:/#-]{0,59}$/.test(id)) return `'${plainText(id)}' is not an id: use a letter or digit, then also -._`
  task.name = { kind: 'given', key: id }
  return null
}

function readDependencyValue({ task, tree, parent }: Reading, value: unknown, path: Path): string | null {
  const above = parent === null ? undefined : tree.plan.tasks[parent]?.name
  for (const [index, one] of [value].flat().entries()) {
    const position = tree.positionOf(Array.isArray(value) ? [...path, index] : path)
    const name = isRecord(one) ? (one.id ?? one.key ?? one.task) : one
    if (typeof name !== 'string' && typeof name !== 'number') return 'must be the ids of other tasks'
    // Task Master: a bare number in a subtask means its sibling.
    const isRelative = above?.kind === 'numbered' && /^\d+$/.test(String(name))
    const text = isRelative ? `${above.number}.${name}` : String(name)
    if (!isEmptyValue(text)) task.waitsFor.push({ text, isKey: true, ...position })
  }
  return null
}

function plainText(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 60)
}
