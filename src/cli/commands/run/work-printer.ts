import type { WorkWatcher } from '../../../scheduler/work-on-tasks.ts'
import type { LandEvent } from '../land/print-landing.ts'

/** The events that print a line which stays. */
export type WorkEvents = Pick<WorkWatcher, 'said' | 'started' | 'reviewMoved' | 'ended' | LandEvent>

export interface WorkPrinter extends WorkEvents {
  progress: WorkWatcher['progress']
  /** Prints a sentence on stderr, at once. */
  warned(sentence: string): void
  /** Nothing is left on the terminal but ordinary lines. */
  close(): void
}
