/** Parts of a split: children that are named after the whole, `T1-b` of `T1`. */
import type { Editable } from './task.ts'

/** `T1` of `T1-b`; null where the key is no part's. */
export function keyOfWhole(key: string | undefined): string | null {
  return /^(?<whole>.+)-[a-z]+$/.exec(key ?? '')?.groups?.whole ?? null
}

/** Is it a part of the task above it? A whole without a key has its parts named after its number. */
export function isPartOf(child: Partial<Pick<Editable, 'key'>>, parent: Partial<Pick<Editable, 'key'>>): boolean {
  const whole = keyOfWhole(child.key)
  return whole !== null && (parent.key === undefined || parent.key.toLowerCase() === whole.toLowerCase())
}
