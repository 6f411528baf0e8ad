/** Parts of a split: children that are named after the whole, `T1-b` of `T1`. */
import type { Editable, Task } from './task.ts'

/** `T1` of `T1-b`; null where the key is no part's. */
export function keyOfWhole(key: string | undefined): string | null {
  return /^(?<whole>.+)-[a-z]+$/.exec(key ?? '')?.groups?.whole ?? null
}

/** Is it a part of the task above it? A whole without a key has its parts named after its number. */
export function isPartOf(child: Partial<Pick<Editable, 'key'>>, parent: Partial<Pick<Editable, 'key'>>): boolean {
  const whole = keyOfWhole(child.key)
  return whole !== null && (parent.key === undefined || parent.key.toLowerCase() === whole.toLowerCase())
}

/** What parts have from the whole when they are made, besides their share of its work. */
export function fieldsForParts(whole: Task): Partial<Editable> {
  const { type, priority, group, milestone_id, plan_file, project, assigned_agent } = whole
  const { create_review, auto_review, max_review_cycles, max_attempts } = whole
  const place = { type, priority, group, milestone_id, plan_file, project, assigned_agent }
  return { ...place, create_review, auto_review, max_review_cycles, max_attempts }
}
