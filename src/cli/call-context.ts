import type { CommandContext } from '@stricli/core'
import type { Sentence } from '../core/sentence.ts'
import type { Display } from './terminal/display.ts'
import type { Output } from './terminal/output.ts'

export type Env = Record<string, string | undefined>

/** What every command handler gets as `this`: everything outside the program that one call uses. */
export interface CallContext extends CommandContext {
  cwd: string
  env: Env
  display: Display
  out: Output
  err: Output
  isTerminal(descriptor: number): Promise<boolean>
  /** The signals that ask this process to end. */
  endingSignals: () => readonly NodeJS.Signals[]
  /** The current time, in milliseconds since 1970. */
  clock: () => number
  /** The other face. The entry point passes it in, because faces do not import each other. */
  mcp: () => Promise<McpFace>
  /** Sentences for stderr, printed after everything else. */
  warnings: Sentence[]
  /** The exit code if nothing is thrown: 1 if a check found a problem. */
  exitCode: number
}

/** The server for agents. */
export interface McpFace {
  serve(options: McpOptions): Promise<void>
  /** Answers one request of a server inside a box. Both are JSON. */
  answer(place: Pick<McpOptions, 'cwd' | 'env'>, request: string): Promise<string>
}

/** What the server for agents needs of a call. It reads standard input and writes standard output itself. */
export interface McpOptions {
  cwd: string
  env: Env
  branch: string | undefined
  version: string
  /** Aborted when the server has to end. */
  stop: AbortSignal
  /** Reports what cannot be answered. */
  complain(sentence: string): void
}

/** Every command has these in addition to its own flags. */
export interface GlobalFlags {
  json: boolean
  branch?: string
}
