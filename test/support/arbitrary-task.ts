import fc from 'fast-check'
import { EDITABLE_FIELDS } from '../../src/core/ledger/editable-fields.ts'
import { type Authorship, createTask } from '../../src/core/task/operations.ts'
import {
  type EditableField,
  PRIORITIES,
  TASK_TYPES,
  type Task,
  type TaskRef,
  VERDICTS,
} from '../../src/core/task/task.ts'

/** Few times and few people, so that ties come up as often as clear orders. */
export const anyTime = fc.nat(3).map((minute) => `2026-01-02T10:0${minute}:00Z`)
export const anyPerson = fc.constantFrom('ada', 'bob', 'claude-code')
export const anyHappening: fc.Arbitrary<Authorship> = fc.record({ at: anyTime, by: anyPerson })

/** All of Unicode but lone surrogates, which the edges replace before a task is made. */
export const anyText = fc.oneof(fc.constantFrom('a', 'b', 'a\nb'), fc.string({ unit: 'binary', maxLength: 8 }))
export const anyCommit = fc.constantFrom(...'abcd').map((digit) => digit.repeat(40))

const anyRef = fc.constantFrom(...'012').map((digit): TaskRef => `task-${digit.repeat(40)}`)
const anyRefs = fc.uniqueArray(anyRef, { maxLength: 3 })
const anyTexts = fc.array(anyText, { maxLength: 3 })
const anyContent = anyText.filter((text) => text.trim() !== '')

const anyFlag = fc.option(fc.boolean())

/** What each field may be set to; null clears an optional one. Those that are not named here are flags. */
const VALUES: Partial<Record<EditableField, fc.Arbitrary<unknown>>> = {
  content: anyContent,
  type: fc.constantFrom(...TASK_TYPES),
  priority: fc.constantFrom(...PRIORITIES),
  after: anyRefs,
  depends_on: anyRefs,
  based_on: anyRefs,
  parent: fc.option(anyRef),
  key: fc.option(anyText),
  title: fc.option(anyText),
  group: fc.option(anyText),
  branch: fc.option(anyText),
  user_story: fc.option(anyText),
  acceptance_criteria: fc.option(anyTexts),
  files_to_create: fc.option(anyTexts),
  files_to_modify: fc.option(anyTexts),
  test_files: fc.option(anyTexts),
  locks: fc.option(anyTexts),
  milestone_id: fc.option(anyText),
  estimated_complexity: fc.option(fc.constantFrom('low', 'medium', 'high')),
  max_attempts: fc.option(fc.nat(9)),
  linear_issue_id: fc.option(anyText),
  max_review_cycles: fc.option(fc.nat(9)),
  final_verdict: fc.option(fc.constantFrom(...VERDICTS)),
  plan_file: fc.option(anyText),
  project: fc.option(anyText),
  assigned_agent: fc.option(anyText),
  todo_item: fc.option(anyTexts),
  archived: fc.boolean(),
  deleted: fc.boolean(),
  moved_to: fc.option(anyText),
}

export interface FieldChange {
  field: EditableField
  value: unknown
}

export const anyFieldChange: fc.Arbitrary<FieldChange> = fc
  .constantFrom(...EDITABLE_FIELDS)
  .chain((field) => (VALUES[field] ?? anyFlag).map((value) => ({ field, value })))

/** The fields a task is filed with. */
export const anyFields = fc.tuple(anyContent, fc.array(anyFieldChange, { maxLength: 4 })).map(([content, changes]) => {
  const given = changes.filter(({ field, value }) => value !== null && field !== 'deleted' && field !== 'moved_to')
  return { ...Object.fromEntries(given.map(({ field, value }) => [field, value])), content }
})

/** Unknown fields that a later release may have written, including names that JavaScript itself uses. */
export const anyExtra = fc.dictionary(
  fc.constantFrom('later', 'zz', '7', 'constructor', 'toString', 'hasOwnProperty'),
  fc.jsonValue({ maxDepth: 2 }),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
)

export type Birth = Partial<Task> & { content?: string }

/** A task as `gza add` files it; `overrides` are laid over it, whether they fit together or not. */
export function aTask(overrides: Birth = {}): Task {
  const { content = 'Refactor auth', created_at = '2026-01-02T10:00:00Z', created_by = 'ada' } = overrides
  const identity = { number: 1, taskCount: 0, isIdTaken: () => false, salt: '00ff00ff00ff00ff', head: null }
  return { ...createTask({ content }, { at: created_at, by: created_by }, identity), ...overrides }
}
