import type { Task } from '../task/task.ts'
import { firstLine } from '../text/first-line.ts'
import type { PlannedFields } from './plan-model.ts'

/** The fields that a plan decides, in the ledger's form; null clears one. */
export type PlanEdits = Partial<Record<keyof Task, unknown>>

export interface PlanChange {
  field: string
  from: unknown
  to: unknown
}

/**
 * What the plan now contains and the ledger does not. What a plan leaves open may have been decided by people: that is
 * not a change.
 */
export function comparePlanned(task: Task, planned: PlannedFields, more: PlanEdits): PlanChange[] {
  const wanted = { ...fieldsFrom(planned), ...more }
  return Object.entries(wanted).flatMap(([field, to]) => {
    const from = task[field as keyof Task] ?? null
    return same(from, to) ? [] : [{ field, from, to }]
  })
}

/** A planned task's fields in the ledger's form. */
export function fieldsFrom(planned: PlannedFields): PlanEdits {
  const { content, priority, type, user_story, estimated_complexity, max_attempts, linear_issue_id, locks } = planned
  return {
    content,
    title: planned.title === firstLine(content) ? null : planned.title,
    ...givenOnly({ priority, type, user_story, estimated_complexity, max_attempts, linear_issue_id, locks }),
    acceptance_criteria: listOrNull(planned.acceptance_criteria),
    files_to_create: listOrNull(planned.files_to_create),
    files_to_modify: listOrNull(planned.files_to_modify),
    test_files: listOrNull(planned.test_files),
  }
}

function givenOnly(fields: PlanEdits): PlanEdits {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function listOrNull(list: readonly string[]): string[] | null {
  return list.length === 0 ? null : [...list]
}

function same(from: unknown, to: unknown): boolean {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
  if (isEmpty(from) && isEmpty(to)) return true
  return JSON.stringify(from) === JSON.stringify(to)
}
