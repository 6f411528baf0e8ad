/** Has a later change built on an earlier one, so that the earlier one cannot be taken back alone? */

import { editedFields, hasOtherClosing } from '../task/revert-task.ts'
import { isFinished } from '../task/status-predicates.ts'
import { dependenciesOf, type EditableField, type Task, uidOf } from '../task/task.ts'

/** The tasks that a commit changed, by uid, before and after it. */
export interface ChangedTasks {
  before: ReadonlyMap<string, Task>
  after: ReadonlyMap<string, Task>
}

/** What a later change did with a task: `finished`. */
export interface BuiltOn {
  uid: string
  verb: string
  /** It is another task, which depends on one of the earlier change or is a part of it. */
  isDependent: boolean
}

export function builtOn(step: ChangedTasks, later: ChangedTasks): BuiltOn[] {
  const affected = affectedTasks(step)
  return [...later.after.values()].flatMap((after) => {
    const change = { before: later.before.get(after.uid) ?? null, after }
    const isDependent = !step.after.has(after.uid)
    const verb = isDependent ? verbOnDependent(affected, change) : verbOnSame(step, change)
    return verb === null ? [] : [{ uid: after.uid, verb, isDependent }]
  })
}

interface Change {
  before: Task | null
  after: Task
}

function verbOnSame(step: ChangedTasks, change: Change): string | null {
  const { uid } = change.after
  const after = step.after.get(uid) as Task
  const before = step.before.get(uid) ?? null
  if (hidesAgain({ before, after })) return workVerb(change) ?? editVerb(change) ?? noteVerb(change)
  const fields = editedFields(before, after)
  if (hasOtherClosing(before, after) || fields.some((field) => WORK_FIELDS.has(field))) {
    const verb = workVerb(change)
    if (verb !== null) return verb
  }
  return editVerb(change, new Set(fields))
}

/** Taking the change back takes the task out of every list. */
function hidesAgain({ before, after }: Change): boolean {
  return before === null || (before.deleted === true && !after.deleted)
}

/** What they say is the work: anyone who has done it since did it with these. */
const WORK_FIELDS: ReadonlySet<EditableField> = new Set([
  'content',
  'title',
  'type',
  'after',
  'depends_on',
  'based_on',
  'parent',
  'user_story',
  'acceptance_criteria',
  'files_to_create',
  'files_to_modify',
  'test_files',
] satisfies EditableField[])

function workVerb({ before, after }: Change): string | null {
  if (hasOtherClosing(before, after)) return CLOSING_VERBS[after.status]
  if (after.landings.length > (before?.landings.length ?? 0)) return 'landed'
  if (after.phases.length > (before?.phases.length ?? 0)) return 'worked on'
  return after.runs.length > (before?.runs.length ?? 0) ? 'started' : null
}

const CLOSING_VERBS = { completed: 'finished', skipped: 'skipped', failed: 'failed at', pending: 'reopened' } as const

function editVerb({ before, after }: Change, fields?: ReadonlySet<EditableField>): string | null {
  const edited = editedFields(before, after).filter((field) => fields === undefined || fields.has(field))
  if (edited.includes('deleted')) return after.deleted ? 'deleted' : 'restored'
  return edited.length > 0 ? 'edited' : null
}

function noteVerb({ before, after }: Change): string | null {
  return after.notes.length > (before?.notes.length ?? 0) ? 'added a note to' : null
}

interface Affected {
  /** Taking the step back hides these again. */
  hidden: ReadonlySet<string>
  /** Taking the step back opens these again. */
  reopened: ReadonlySet<string>
}

function affectedTasks(step: ChangedTasks): Affected {
  const steps = [...step.after.values()].map((after) => ({ before: step.before.get(after.uid) ?? null, after }))
  const uids = (test: (change: Change) => boolean) => new Set(steps.filter(test).map(({ after }) => after.uid))
  return {
    hidden: uids(hidesAgain),
    reopened: uids(({ before, after }) => before !== null && !isFinished(before) && isFinished(after)),
  }
}

function verbOnDependent({ hidden, reopened }: Affected, change: Change): string | null {
  const { before, after } = change
  if (after.deleted) return null
  const old = new Set(before === null ? [] : neededBy(before))
  if (neededBy(after).some((uid) => hidden.has(uid) && !old.has(uid))) return before === null ? 'added' : 'edited'
  const isWaiting = dependenciesOf(after).some((ref) => reopened.has(uidOf(ref)))
  return isWaiting ? workVerb(change) : null
}

function neededBy(task: Task): string[] {
  return [...dependenciesOf(task), ...(task.parent === undefined ? [] : [task.parent])].map(uidOf)
}
