import type { CommandContext } from '@stricli/core'
import type { Sentence } from '../core/sentence.ts'
import type { Display } from './terminal/display.ts'
import type { Output } from './terminal/output.ts'

export type Env = Record<string, string | undefined>

/** What every command handler gets as `this`: the outside world of one call. */
export interface CallContext extends CommandContext {
  cwd: string
  env: Env
  display: Display
  out: Output
  err: Output
  isTerminal(descriptor: number): Promise<boolean>
  /** The present, in milliseconds since 1970. */
  clock: () => number
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
