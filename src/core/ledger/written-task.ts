/** Reads tasks from lines that gza wrote. Writing them is in task-line.ts: the fastest commands only read. */
import type { Task, TaskRef } from '../task/task.ts'
import { mayHaveLaterEdits } from './later-edit-names.ts'

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
    if (!isKnownField(name)) return separateExtra({ ...defaults(), ...fields, after })
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

/** What a line leaves out. */
export function defaults(): Pick<Task, Defaulted> {
  return {
    type: 'task',
    priority: 'medium',
    generation: 0,
    link: 0,
    depends_on: [],
    based_on: [],
    renumbered: [],
    commits: [],
    edits: [],
    runs: [],
    phases: [],
    landings: [],
  }
}

/** Moves the fields that this release does not know into `extra`, so that the next write keeps them. */
export function separateExtra(fields: Record<string, unknown>): Task {
  const unknown = Object.keys(fields).filter((key) => !isKnownField(key))
  if (unknown.length === 0) return fields as unknown as Task
  const extra: Record<string, unknown> = {}
  const known: Record<string, unknown> = { ...fields }
  for (const key of unknown) {
    extra[key] = fields[key]
    delete known[key]
  }
  return { ...(known as unknown as Task), extra }
}

/**
 * Does this release know the field of a task's line? All others are kept as they are. A switch, because a set of so many
 * names takes eight heap blocks of 16 KB, and `show` would start the runtime's thread that prepares more.
 */
export function isKnownField(name: string): boolean {
  switch (name) {
    // Of every task, in the order in which they are written.
    case 'id':
    case 'content':
    case 'status':
    case 'created_at':
    case 'created_by':
    case 'after':
    case 'closed_at':
    case 'closed_commit':
    case 'notes':
    case 'uid':
    case 'salt':
    case 'number':
    // The other EDITABLE_FIELDS.
    case 'type':
    case 'priority':
    case 'depends_on':
    case 'based_on':
    case 'parent':
    case 'key':
    case 'title':
    case 'group':
    case 'create_review':
    case 'same_branch':
    case 'branch':
    case 'user_story':
    case 'acceptance_criteria':
    case 'files_to_create':
    case 'files_to_modify':
    case 'test_files':
    case 'locks':
    case 'milestone_id':
    case 'estimated_complexity':
    case 'max_attempts':
    case 'linear_issue_id':
    case 'auto_review':
    case 'max_review_cycles':
    case 'final_verdict':
    case 'plan_file':
    case 'project':
    case 'assigned_agent':
    case 'todo_item':
    case 'on_hold':
    case 'archived':
    case 'deleted':
    case 'moved_to':
    // LATER_FIELDS
    case 'renumbered':
    case 'original':
    case 'created_head':
    case 'generation':
    case 'closed_by':
    case 'link':
    case 'closed_head':
    case 'closed_branch':
    case 'commits':
    case 'edits':
    case 'runs':
    case 'phases':
    case 'landings':
      return true
    default:
      return false
  }
}
