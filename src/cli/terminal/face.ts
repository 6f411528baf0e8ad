import type { CommandContext } from '@stricli/core'
import type { Sentence } from '../../core/sentence.ts'
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export type Env = Record<string, string | undefined>

/** The name the program was called by. Every command exists under both; some outputs differ. */
export type ProgramName = 'gza' | 'git-tasks'

/** How output should look where it goes. */
export interface Display {
  name: ProgramName
  style: Style
  /** Columns of the terminal; null where stdout is none, and nothing is cut. */
  width: number | null
}

/** What every command handler gets as `this`: the outside world of one call. */
export interface Face extends CommandContext {
  cwd: string
  env: Env
  display: Display
  out: Output
  err: Output
  isTerminal(descriptor: number): Promise<boolean>
  /** Sentences for stderr, printed after everything else. */
  warnings: Sentence[]
  /** What the process ends with when nothing was thrown: 1 where a check found something bad. */
  exitCode: number
}

/** On every command, besides its own flags. */
export interface GlobalFlags {
  json: boolean
  branch?: string
}

/** The program as a person types it. */
export function programOf(name: ProgramName): string {
  return name === 'git-tasks' ? 'git tasks' : 'gza'
}
