import type { Task, TaskRef } from '../task/task.ts'
import { canonical } from './canonical.ts'
import { EDITABLE_FIELDS } from './join-tasks.ts'
import { isLaterField, laterEditName, mayHaveLaterEdits, withLaterEdits } from './later-edits.ts'

/**
 * The task as one line of `tasks.jsonl`: required fields first with their nulls, defaults left out. Each task has one
 * spelling.
 */
export function taskLine(task: Task): string {
  const line: Record<string, unknown> = {
    id: task.id,
    content: task.content,
    status: task.status,
    created_at: task.created_at,
    created_by: task.created_by,
    after: oneOrMany(task.after),
    closed_at: task.closed_at,
    closed_commit: task.closed_commit,
    notes: task.notes.map(({ id, at, by, text, retracted, ...later }) => ({
      id,
      at,
      by,
      text,
      retracted,
      ...sorted(later),
    })),
    uid: task.uid,
    salt: task.salt,
    number: task.number,
  }
  for (const field of OPTIONAL_FIELDS) {
    const value = field === 'edits' ? task.edits.filter((edit) => !isLaterField(edit.field)) : task[field]
    if (isWorthWriting(field, value)) line[field] = inOneSpelling(field, value)
  }
  for (const [field, value] of unknownFields(task)) if (!Object.hasOwn(line, field)) line[field] = value
  return JSON.stringify(line)
}

/** A task as its line has it: a field with its default value is absent. Every task is one, with nothing left out. */
export type WrittenTask = Omit<Task, Defaulted | 'after'> &
  Partial<Pick<Task, Defaulted>> & { after: TaskRef | TaskRef[] | null }

type Defaulted =
  | ('type' | 'priority' | 'generation' | 'link')
  | ('depends_on' | 'based_on' | 'renumbered' | 'commits' | 'edits' | 'runs' | 'phases' | 'landings')

/** Reads a line that taskLine wrote and nothing else has changed: nothing is validated. */
export function parseWrittenLine(line: string): WrittenTask {
  const written = JSON.parse(line)
  return mayHaveLaterEdits(line) ? (withLaterEdits(written) as unknown as WrittenTask) : written
}

/** The same with defaults restored. */
export function parseTrustedLine(line: string): Task {
  return withDefaults(parseWrittenLine(line))
}

export function withDefaults(written: WrittenTask): Task {
  const fields = written as unknown as Record<string, unknown>
  const after = refsIn(written.after)
  const task = defaults() as unknown as Record<string, unknown>
  // One by one, because spreading took twice as long as JSON.parse itself.
  for (const name in fields) {
    if (!KNOWN_FIELDS.has(name)) return separateExtra({ ...defaults(), ...fields, after })
    task[name] = fields[name]
  }
  task.after = after
  return task as unknown as Task
}

/** One reference is written without a list. */
export function refsIn(after: WrittenTask['after']): TaskRef[] {
  if (after === null) return []
  return Array.isArray(after) ? after : [after]
}

function defaults(): Pick<Task, Defaulted> {
  return {
    ...{ type: 'task', priority: 'medium', generation: 0, link: 0 },
    ...{ depends_on: [], based_on: [], renumbered: [], commits: [], edits: [], runs: [], phases: [], landings: [] },
  }
}

/** Moves the fields that this release does not know into `extra`, so that the next write keeps them. */
export function separateExtra(fields: Record<string, unknown>): Task {
  const unknown = Object.keys(fields).filter((key) => !KNOWN_FIELDS.has(key))
  if (unknown.length === 0) return fields as unknown as Task
  const extra: Record<string, unknown> = {}
  const known: Record<string, unknown> = { ...fields }
  for (const key of unknown) {
    extra[key] = fields[key]
    delete known[key]
  }
  return { ...(known as unknown as Task), extra }
}

function oneOrMany(refs: readonly TaskRef[]): TaskRef | readonly TaskRef[] | null {
  if (refs.length === 0) return null
  return refs.length === 1 ? (refs[0] as TaskRef) : refs
}

const FIRST_FIELDS = [
  'id',
  'content',
  'status',
  'created_at',
  'created_by',
  'after',
  'closed_at',
  'closed_commit',
  'notes',
  'uid',
  'salt',
  'number',
]
const LATER_FIELDS = [
  'renumbered',
  'original',
  'created_head',
  'generation',
  'closed_by',
  'link',
  'closed_head',
  'closed_branch',
  'commits',
  'edits',
  'runs',
  'phases',
  'landings',
] as const
const KNOWN_FIELDS = new Set<string>([...FIRST_FIELDS, ...EDITABLE_FIELDS, ...LATER_FIELDS])
const FACT_LISTS = new Set(['edits', 'runs', 'phases', 'landings'])
const OPTIONAL_FIELDS = [
  ...EDITABLE_FIELDS.filter((field) => field !== 'content' && field !== 'after' && !isLaterField(field)),
  ...LATER_FIELDS,
] as const
const DEFAULTS: Record<string, unknown> = {
  type: 'task',
  priority: 'medium',
  generation: 0,
  link: 0,
  deleted: false,
  archived: false,
}

/**
 * In one spelling, like everything else: two clones may have received them from writers with a different order of keys.
 */
function unknownFields({ extra, edits }: Task): [string, unknown][] {
  const later = edits.filter((edit) => isLaterField(edit.field))
  if (extra === undefined && later.length === 0) return []
  const fields = { ...extra, ...Object.fromEntries(later.map((edit) => [laterEditName(edit), edit])) }
  const names = Object.keys(fields).sort()
  return names.map((name) => [name, JSON.parse(canonical(fields[name]))])
}

function sorted(later: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(later).length === 0 ? later : JSON.parse(canonical(later))
}

function isWorthWriting(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === DEFAULTS[field]) return false
  return !(Array.isArray(value) && value.length === 0)
}

function inOneSpelling(field: string, value: unknown): unknown {
  return FACT_LISTS.has(field) ? JSON.parse(canonical(value)) : value
}
