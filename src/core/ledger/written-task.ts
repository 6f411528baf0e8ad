/** Reads tasks from lines that gza wrote. Writing them is in task-line.ts: the fastest commands only read. */
import type { Task, TaskRef } from '../task/task.ts'
import { EDITABLE_FIELDS, mayHaveLaterEdits } from './editable-fields.ts'

/** A task as its line has it: a field with its default value is absent. Every task is one, with nothing left out. */
export type WrittenTask = Omit<Task, Defaulted | 'after'> &
  Partial<Pick<Task, Defaulted>> & { after: TaskRef | TaskRef[] | null }

type Defaulted =
  | ('type' | 'priority' | 'generation' | 'link')
  | ('depends_on' | 'based_on' | 'renumbered' | 'commits' | 'edits' | 'runs' | 'phases' | 'landings')

/** Reads a line that taskLine wrote and nothing else has changed: nothing is validated. */
export function parseWrittenLine(line: string): WrittenTask {
  const written = JSON.parse(line)
  return mayHaveLaterEdits(line) ? (laterEdits().withLaterEdits(written) as unknown as WrittenTask) : written
}

/** Few tasks have such edits, and the code that orders them is larger than the rest of a fast command. */
function laterEdits(): typeof import('./later-edits.ts') {
  return require('./later-edits.ts')
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
export const LATER_FIELDS = [
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
