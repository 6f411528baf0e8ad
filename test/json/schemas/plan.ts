import { z } from 'zod'
import { about, count, flag, maybe, named, status, TaskName, taskId, text, texts, time } from './fields.ts'
import { Task } from './task.ts'

const component = <T extends z.ZodType>(type: T) =>
  z.strictObject({
    file_scope: type,
    cross_file_deps: type,
    semantic_complexity: type,
    requirement_uncertainty: type,
    token_penalty: type,
  })

const Complexity = named('Complexity', 'How complex a task is.', {
  total: z.number(),
  threshold: z.number(),
  level: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  action: text,
  components: component(z.number()).meta({ id: 'Components', description: 'The points of each component.' }),
  reasons: component(texts).meta({ id: 'Reasons', description: 'The reasons for the points of each component.' }),
  estimated_tokens: count,
})

export const Scored = named('Scored', 'The score of a task.', {
  number: maybe(count).describe('Null: a task of a plan that is not filed'),
  id: maybe(taskId),
  key: maybe(text),
  title: text,
  score: Complexity,
  warnings: texts,
})

export const Split = named('Split', 'A task and the parts it was divided into.', {
  task: named('SplitTask', 'The whole.', { ...TaskName.shape, key: text }),
  acceptance_criteria: texts,
  score: Complexity,
  strategy: maybe(text).describe('Null: it is not split'),
  chosen: maybe(z.enum(['dominant', 'asked', 'next best'])),
  dominant: maybe(text),
  parts: z.array(
    named('Part', 'A part of a split.', {
      key: text,
      title: text,
      content: text,
      depends_on_keys: texts,
      acceptance_criteria: texts,
      files_to_create: texts,
      files_to_modify: texts,
      test_files: texts,
      unsplittable: maybe(about('Why it cannot be divided further')),
    }),
  ),
  created: z.array(Task),
})

const Change = named('FieldChange', 'A field with its earlier and its new value.', {
  field: text,
  from: z.unknown(),
  to: z.unknown(),
})

const PlanRow = named('PlanRow', 'A task of a plan.', {
  key: maybe(text),
  id: maybe(taskId).describe('Null: a dry run has not filed it'),
  number: maybe(count),
  title: text,
  state: z.enum(['new', 'known', 'changed', 'updated', 'closed', 'deleted', 'replaced']),
  status: text,
  parent_key: maybe(text),
  milestone_id: maybe(text),
  line: maybe(count),
  score: maybe(named('ShortScore', 'A score.', { total: z.number(), level: text, action: text })),
  split: maybe(named('PlanSplit', 'How it was divided.', { strategy: text, parts: texts })),
  dependencies: z.array(
    named('PlanDependency', 'What a task of a plan depends on.', {
      key: maybe(text),
      id: maybe(text),
      number: maybe(count),
      kind: z.enum(['after', 'depends_on', 'based_on']),
      origin: z.enum(['explicit', 'file', 'split']),
      files: texts,
    }),
  ),
  changes: z.array(Change),
})

export const PlanImport = named('PlanImport', 'What was filed from a plan.', {
  plan_file: text,
  title: text,
  dry_run: flag,
  created_count: count,
  updated_count: count,
  replaced_count: count,
  top: PlanRow,
  milestones: z.array(
    named('FiledMilestone', 'A milestone of a plan.', {
      id: text,
      name: text,
      description: text,
      state: z.enum(['new', 'known']),
    }),
  ),
  tasks: z.array(PlanRow),
  gone: z.array(
    named('GoneTask', 'In the ledger, but no longer in the plan.', {
      id: taskId,
      number: count,
      key: maybe(text),
      title: text,
      status: text,
    }),
  ),
  warnings: texts,
})

export const Imported = named('Imported', 'What an import did.', {
  tool: maybe(text),
  created: z.array(Task),
  updated: z.array(Task),
  known_count: count,
  differences: z.array(
    named('Difference', 'A task that differs now in the tool.', {
      id: taskId,
      number: count,
      key: text,
      title: text,
      changes: z.array(Change),
    }),
  ),
  skipped: z.array(named('Skipped', 'What was left out.', { line: maybe(count), detail: text })),
})

export const TodoItem = named('TodoItem', 'An item of TODO.md.', {
  item: count,
  line: count,
  text,
  done: flag,
  depth: count,
  heading: maybe(text),
  task: maybe(named('TodoTask', 'The task it was taken up as.', { ...TaskName.shape, on_hold: flag })),
  was: maybe(about('Its text at that time')),
  maybe: z.array(TaskName),
})

const reverted = {
  ledger: text,
  commit: text,
  changed: z.array(
    named('RevertedTask', 'What is different now.', { number: count, id: taskId, title: text, changes: texts }),
  ),
  tasks: z.array(Task),
}
export const Undone = named('Undone', 'What was undone.', { undone: text, ...reverted })
export const Redone = named('Redone', 'What was done again.', { redone: text, ...reverted })

export const DeletedTask = named('DeletedTask', 'A deleted task.', {
  number: count,
  id: taskId,
  key: maybe(text),
  title: text,
  deleted_at: maybe(time),
  deleted_by: maybe(text),
})

export const RestoredLedger = named('RestoredLedger', 'A ledger that got lost changes back.', {
  ledger: text,
  tips: texts,
  gone: texts,
  task_count_before: count,
  task_count: count,
})

const moved = { number: count, id: taskId, title: text, status, number_before: count }
export const Moved = named('Moved', 'What moved to another ledger.', {
  from: text,
  to: text,
  moved: z.array(named('MovedTask', 'A task that moved.', { ...moved, along: flag })),
  copied: z.array(named('CopiedTask', 'A finished dependency, which stays.', moved)),
})
