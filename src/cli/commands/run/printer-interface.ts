import type { WorkEvents, WorkWatcher } from '../../../scheduler/work-report.ts'

/** The events that print a line which stays. */
export type LineEvents = Omit<WorkEvents, 'progress'>

export interface WorkPrinter extends WorkEvents {
  /** Prints a sentence on stderr, at once. */
  warned(sentence: string): void
  /** Shows below the running tasks why workers are idle; only on a terminal. */
  idle?: WorkWatcher['idle']
  /** Nothing is left on the terminal but ordinary lines. */
  close(): void
}
