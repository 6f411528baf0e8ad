import type { PlanChange } from '../../core/plan/compare-planned.ts'
import type { PlannedTask } from '../../core/plan/plan-model.ts'
import type { ScoreContext } from '../../core/size/complexity.ts'
import { fieldsForParts } from '../../core/size/parts.ts'
import { partFields } from '../../core/size/plan-split.ts'
import type { RemadePart } from '../../core/size/remake-parts.ts'
import { type Authorship, addNote, deleteTask, editTask } from '../../core/task/operations.ts'
import { isOpen } from '../../core/task/status-predicates.ts'
import { type EditableField, refOf, type Task, type TaskRef } from '../../core/task/task.ts'
import type { TaskFactory } from '../../tasks/task-factory.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

/** A task that the plan changed, with the parts it was split into. */
export interface Family {
  plan: PlannedTask
  task: Task
  before: Task
  changes: readonly PlanChange[]
  filed: readonly Task[]
  context: ScoreContext
  /** All keys that were ever used, in lower case. */
  keys: Set<string>
  isFixed: (part: Task) => boolean
}

const INHERITED = new Set(['type', 'priority', 'milestone_id', 'max_attempts'])

/** The part with these edits, and with the fields it inherits; a closed part only follows the whole's key. */
export function editPart(view: LedgerView, family: Family, part: Task, more: Record<string, unknown>) {
  const passed = family.changes.filter(({ field }) => INHERITED.has(field)).map(({ field, to }) => [field, to])
  const open = part.status === 'pending' ? { ...Object.fromEntries(passed), ...more } : {}
  const wanted: Partial<Record<EditableField, unknown>> = { ...renamed(family, part), ...open }
  const edited = editTask(part, wanted, authorship(view))
  // Its content is made from its title and its place.
  const fields = (Object.keys(wanted) as EditableField[]).filter((field) => field !== 'content')
  const changes = fields.flatMap((field): PlanChange[] => {
    const [from, to] = [part[field] ?? null, edited[field] ?? null]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }]
  })
  return { task: edited, state: edited === part ? ('known' as const) : ('updated' as const), changes }
}

/** Its text names the whole, and agents look that up. */
function renamed({ task, before }: Family, part: Task): { key?: string; content?: string } {
  if (task.key === before.key || before.key === undefined || part.key === undefined) return {}
  const content = part.content
    .replace(` of ${before.key}: `, () => ` of ${task.key}: `)
    .replace(`gza show ${before.key} `, () => `gza show ${task.key} `)
  return { key: `${task.key}${part.key.slice(before.key.length)}`, ...(part.status === 'pending' && { content }) }
}

export function createPart(create: TaskFactory, { task }: Family, part: RemadePart, dependencies: PartDependencies) {
  const { isReused: _, ...made } = part
  const fields = { ...fieldsForParts(task), ...partFields(made), ...dependencies, parent: refOf(task) }
  return { task: create(fields), state: 'new' as const, changes: [] }
}

export function partEdits(
  { title, content, user_story, ...part }: RemadePart,
  dependencies: PartDependencies,
): Record<string, unknown> {
  const list = (values: readonly string[] = []) => (values.length === 0 ? null : [...values])
  return {
    ...{ title, content, user_story: user_story ?? null },
    acceptance_criteria: list(part.acceptance_criteria),
    files_to_create: list(part.files_to_create),
    files_to_modify: list(part.files_to_modify),
    test_files: list(part.test_files),
    ...dependencies,
  }
}

type PartDependencies = Pick<Task, 'after' | 'depends_on' | 'based_on'>

/**
 * The first open part waits for the started ones, otherwise for the dependencies of the whole; what people added stays.
 */
export function partDependencies(
  { task, before, filed }: Family,
  { old, last, isFirst }: { old: Task | undefined; last: Task | undefined; isFirst: boolean },
): PartDependencies {
  const siblings = new Set(filed.map(refOf))
  const added = (field: keyof PartDependencies) =>
    (old?.[field] ?? []).filter((ref) => !siblings.has(ref) && !before[field].includes(ref))
  const ofWhole = (field: keyof PartDependencies): TaskRef[] => {
    if (!isFirst) return []
    return last === undefined ? task[field] : task[field].filter((ref) => !before[field].includes(ref))
  }
  const allOf = (field: keyof PartDependencies) => [...new Set([...ofWhole(field), ...added(field)])]
  const chain = last === undefined ? [] : [refOf(last)]
  return {
    after: allOf('after'),
    depends_on: [...chain, ...allOf('depends_on')],
    based_on: allOf('based_on'),
  }
}

/** The last of the started parts that waits for no open one: after any other, the chain would be a cycle. */
export function lastUnblockedPart(fixed: readonly Task[], filed: readonly Task[]): Task | undefined {
  const byRef = new Map(filed.filter(({ deleted }) => !deleted).map((part) => [refOf(part), part]))
  const isBlocked = (part: Task, seen: readonly Task[]): boolean => {
    if (!isOpen(part)) return false
    if (!fixed.includes(part) || seen.includes(part)) return true
    return part.depends_on.some((ref) => {
      const sibling = byRef.get(ref)
      return sibling !== undefined && isBlocked(sibling, [...seen, part])
    })
  }
  return fixed.findLast((part) => !isBlocked(part, []))
}

const REPLACED = 'replaced: the plan has changed, and nothing is left for this part'

/** Its history stays, and `restore` brings it back. The note distinguishes it from a part that a person removed. */
export function replacePart(view: LedgerView, part: Task): Task {
  return deleteTask(addNote(part, REPLACED, authorship(view), view.ws.random(8)), authorship(view))
}

export function isReplacedPart(part: Task): boolean {
  return part.deleted === true && part.notes.some(({ text }) => text === REPLACED)
}

function authorship({ ws }: LedgerView): Authorship {
  return { at: ws.now(), by: ws.actor.name }
}
