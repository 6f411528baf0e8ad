import type { WorkEvents } from '../../../scheduler/work-report.ts'

/** The events that print a line which stays. */
export type LineEvents = Omit<WorkEvents, 'progress'>

export interface WorkPrinter extends WorkEvents {
  /** Prints a sentence on stderr, at once. */
  warned(sentence: string): void
  /** Nothing is left on the terminal but ordinary lines. */
  close(): void
}
