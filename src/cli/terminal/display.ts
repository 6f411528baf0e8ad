import type { Style } from './style.ts'

/** The name the program was called by. Every command exists under both; some outputs differ. */
export type ProgramName = 'gza' | 'git-tasks'

/** How output is printed. */
export interface Display {
  name: ProgramName
  style: Style
  /** Columns of the terminal. Null if stdout is not a terminal: then nothing is cut. */
  width: number | null
  /** Lines of the terminal. Null if nothing is shown through a pager. */
  height: number | null
}

/** The program as a person types it. */
export function programOf(name: ProgramName): string {
  return name === 'git-tasks' ? 'git tasks' : 'gza'
}
