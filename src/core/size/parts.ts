/** Parts of a split: children that are named after the whole, `T1-b` of `T1`. */
import type { Editable, Task } from '../task/task.ts'

/** `T1` for `T1-b` and `T1-ab`; null if the key is not a part's: `setup-db` is an ordinary name. */
export function keyOfWhole(key: string | undefined): string | null {
  return /^(?<whole>.+)-(?:[a-z]|(?<=\d-)[a-z]{2})$/.exec(key ?? '')?.groups?.whole ?? null
}

/** Is it a part of the task above it? If the whole has no key, its parts are named after its number: `T12-a`. */
export function isPartOf(child: Partial<Pick<Editable, 'key'>>, parent: Partial<Pick<Editable, 'key'>>): boolean {
  const whole = keyOfWhole(child.key)
  if (whole === null) return false
  return parent.key === undefined ? /^T\d+$/i.test(whole) : parent.key.toLowerCase() === whole.toLowerCase()
}

/** The fields that parts take over from the whole, besides their share of its work. */
export function fieldsForParts(whole: Task): Partial<Editable> {
  const { type, priority, group, milestone_id, plan_file, project, assigned_agent } = whole
  const { create_review, auto_review, max_review_cycles, max_attempts } = whole
  const place = { type, priority, group, milestone_id, plan_file, project, assigned_agent }
  return { ...place, create_review, auto_review, max_review_cycles, max_attempts }
}
