import type { Style } from './style.ts'

/** The name the program was called by. Every command exists under both; some outputs differ. */
export type ProgramName = 'gza' | 'git-tasks'

/** How output should look where it goes. */
export interface Display {
  name: ProgramName
  style: Style
  /** Columns of the terminal; null where stdout is none, and nothing is cut. */
  width: number | null
}

/** The program as a person types it. */
export function programOf(name: ProgramName): string {
  return name === 'git-tasks' ? 'git tasks' : 'gza'
}
