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
  isTerminalNow(descriptor: number): boolean
  /** The signals that ask this process to end. */
  endingSignals: () => readonly NodeJS.Signals[]
  /** The current time, in milliseconds since 1970. */
  clock: () => number
  page: RunPager
  /** The folder that these lead to, one after the other, and whether it exists. */
  follow: (from: string, folders: readonly string[]) => { folder: string; exists: boolean }
  /** The other faces. The entry point passes them in, because faces do not import each other. */
  mcp: () => Promise<McpFace>
  /** `ownEnv`: the environment of the commands that the page starts, if it is not that of this process. */
  web: (ownEnv?: Env) => Promise<WebFace>
  /** Sentences for stderr, printed after everything else. */
  warnings: Sentence[]
  /** The exit code if nothing is thrown: 1 if a check found a problem. */
  exitCode: number
}

/** Shows the parts in the person's pager. */
export type RunPager = (place: { dir: string; env: Env }, parts: readonly Uint8Array[]) => Promise<PagerEnd>

export type PagerEnd =
  | { kind: 'shown' }
  /** The person wants none. */
  | { kind: 'none' }
  | { kind: 'failed'; pager: string }

/** The server for agents. */
export interface McpFace {
  serve(options: McpOptions): Promise<void>
  /** Answers one request of a server inside a box. Both are JSON. */
  answer(place: Pick<McpOptions, 'cwd' | 'env'>, request: string): Promise<string>
}

/** The server for browsers. */
export interface WebFace {
  serve(options: WebOptions): Promise<void>
}

export interface WebOptions {
  /** Of the repositories to show. */
  folders: readonly string[]
  env: Env
  version: string
  /** 0: a free one. */
  port: number
  readOnly: boolean
  /** Whether to open a browser. */
  isOpening: boolean
  /** Aborted when the server has to end. */
  stop: AbortSignal
  /** Called once, with the address for the browser. `already`: another process serves it. */
  opened(address: string, how: { inBrowser: boolean; already: boolean }): void
  report(sentence: string): void
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

/** Of the commands that can add the first task of a ledger. */
export interface CreateFlag {
  create: boolean
}

/** Every command has these in addition to its own flags. */
export interface GlobalFlags {
  json: boolean
  branch?: string
}
