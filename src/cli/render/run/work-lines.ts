import type { WorkWatcher } from '../../../scheduler/work-on-tasks.ts'

export type LandEvent = 'landed' | 'returned' | 'waiting'

export interface WorkLines
  extends Pick<WorkWatcher, 'started' | 'progress' | 'reviewMoved' | 'ended' | 'said' | LandEvent> {
  /** Says something on stderr, at once. */
  warned(sentence: string): void
  /** Nothing is left on the terminal but ordinary lines. */
  close(): void
}
