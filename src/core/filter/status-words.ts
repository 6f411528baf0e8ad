import { openStatuses } from '../task/status-predicates.ts'
import type { DerivedStatus } from '../task/task.ts'

/** The words for a status that people may use. */
export const STATUS_WORDS = [
  'pending',
  'in_progress',
  'active',
  'completed',
  'done',
  'failed',
  'skipped',
  'blocked',
  'open',
  'ready',
] as const
export type StatusWord = (typeof STATUS_WORDS)[number]

/** The statuses that tasks with one of these words can have. */
export function statusesOf(words: readonly StatusWord[]): Set<DerivedStatus> {
  return new Set(words.flatMap(meaning))
}

/** `done` and `active` are accepted as other names, and a blocked task is still pending. */
function meaning(word: StatusWord): DerivedStatus[] {
  if (word === 'done') return ['completed']
  if (word === 'active') return ['in_progress']
  if (word === 'pending') return ['pending', 'blocked']
  if (word === 'ready') return ['pending']
  return word === 'open' ? openStatuses() : [word]
}

/** A task that is ready waits for nobody: it is pending, and no person has to do anything first. */
export function hasStatus(
  words: readonly StatusWord[],
  status: DerivedStatus,
  { on_hold, asks }: { on_hold: number; asks: number },
): boolean {
  return words.some((word) => meaning(word).includes(status) && (word !== 'ready' || (on_hold === 0 && asks === 0)))
}
