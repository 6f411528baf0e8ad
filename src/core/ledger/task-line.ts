import type { Task, TaskRef } from '../task/task.ts'
import { canonical } from './canonical.ts'
import { EDITABLE_FIELDS } from './editable-fields.ts'
import { EDITED_LATER, isLaterField, laterEditName } from './later-edits.ts'

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
    notes: task.notes.length === 0 ? task.notes : task.notes.map(noteInOrder),
    uid: task.uid,
    salt: task.salt,
    number: task.number,
  }
  for (const field of OPTIONAL_FIELDS) {
    const value = field === 'edits' ? ownEdits(task) : task[field]
    // Most tasks have few of them: a function that is called often makes the runtime start a compiler thread.
    if (value === undefined || value === null || value === DEFAULTS[field]) continue
    if (isWorthWriting(field, value)) line[field] = inOneSpelling(field, value)
  }
  for (const [field, value] of unknownFields(task)) if (!Object.hasOwn(line, field)) line[field] = value
  return JSON.stringify(line)
}

function noteInOrder({ id, at, by, text, retracted, ...later }: Task['notes'][number]): Record<string, unknown> {
  return { id, at, by, text, retracted, ...sorted(later) }
}

function ownEdits({ edits }: Task): readonly Task['edits'][number][] {
  return edits.length === 0 ? edits : edits.filter((edit) => !isLaterField(edit.field))
}

/**
 * Is the text what taskLine would write for the task in it? `fields` are its parsed fields, all known and valid. False may
 * also mean that only taskLine itself can tell.
 */
export function isTaskLine(text: string, fields: Record<string, unknown>): boolean {
  ranks ??= new Map([...WRITTEN_FIELDS, ...OPTIONAL_FIELDS].map((name, rank) => [name, rank]))
  let last = -1
  for (const name in fields) {
    const rank = ranks.get(name) ?? -1
    if (rank <= last || (rank >= WRITTEN_FIELDS.length && !isSpelledOnce(name, fields[name]))) return false
    last = rank
  }
  const { after, notes } = fields as unknown as Pick<Task, 'after' | 'notes'>
  if (after === undefined || (Array.isArray(after) && after.length < 2)) return false
  for (const note of notes) if (!isInOrder(note)) return false
  return JSON.stringify(fields) === text
}

/** Lists of facts are written with sorted keys. */
function isSpelledOnce(field: string, value: unknown): boolean {
  return isWorthWriting(field, value) && !FACT_LISTS.has(field)
}

function isInOrder(note: object): boolean {
  let last = -1
  for (const name in note) {
    const rank = NOTE_FIELDS.indexOf(name)
    if (rank <= last) return false
    last = rank
  }
  return true
}

const NOTE_FIELDS = ['id', 'at', 'by', 'text', 'retracted']

/** Made when a file is first read: commands that write one task need it not. */
let ranks: Map<string, number> | undefined

function oneOrMany(refs: readonly TaskRef[]): TaskRef | readonly TaskRef[] | null {
  if (refs.length === 0) return null
  return refs.length === 1 ? (refs[0] as TaskRef) : refs
}

const FACT_LISTS = new Set(['edits', 'runs', 'phases', 'landings'])
/** The fields after those that an edit may change. */
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
const OPTIONAL_FIELDS = optionalFields()

/** In one loop without functions: every command that writes comes here. */
function optionalFields() {
  const fields: ((typeof EDITABLE_FIELDS)[number] | (typeof LATER_FIELDS)[number])[] = []
  for (const field of EDITABLE_FIELDS)
    if (field !== 'content' && field !== 'after' && !(EDITED_LATER as readonly string[]).includes(field))
      fields.push(field)
  for (const field of LATER_FIELDS) fields.push(field)
  return fields
}

/** Those that every line has, even if they are null. */
const WRITTEN_FIELDS = [
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
  if (extra === undefined && edits.length === 0) return []
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
