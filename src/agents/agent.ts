import type { Limits } from '../core/run/budgets.ts'

/** What an agent's client reports while it works, the same for all clients. */
export type AgentEvent =
  | { kind: 'session'; id: string }
  | { kind: 'text'; text: string }
  /** `detail` is one short line about what the tool does. */
  | { kind: 'tool'; name: string; detail: string }
  /** The client did not allow a call of a tool. The model may have tried something else instead. */
  | { kind: 'denied'; name: string; detail: string }
  /** The model was called again; `count` is the number of calls so far. Not every client reports it. */
  | { kind: 'turn'; count: number }
  /** The phase's total so far, including prompt tokens from a cache. */
  | { kind: 'tokens'; input: number; output: number }
  /** The phase's total so far. */
  | { kind: 'cost'; usd: number }
  /**
   * A usage limit was reached; `resetsAt` is set if the message names a time. Otherwise ask the agent's `limitReset`.
   * `ofModel`: it is the limit of the model, and other models of the account still answer.
   */
  | { kind: 'limit'; resetsAt: string | null; message: string; ofModel?: boolean }
  /**
   * The final event; if a client sends several, the last one counts. `reason` is the client's own reason for a failure,
   * or names the tools that were denied in a run that it calls a success.
   */
  | { kind: 'result'; ok: boolean; text: string; reason: string | null; turns: number | null }
  /** The client may still continue: any output or action after an error means that the error has passed. */
  | { kind: 'error'; message: string; code: ErrorCode }

/** `limit` lasts until a reset, `overloaded` passes by itself. */
export type ErrorCode = 'auth' | 'limit' | 'overloaded' | 'max-turns' | 'max-cost' | 'other'

export interface PhaseCall {
  prompt: string
  access: 'work' | 'read-only'
  model?: string
  maxTurns?: number
  maxCostUsd?: number
  /** The session to resume. */
  resume?: string
  /** A new UUID, for a client that takes the id of its new session from the caller. */
  newSession: string
  cwd: string
  isRoot: boolean
  /** By Landlock: what it may not write is refused to it, and a sandbox of its own cannot be made inside. */
  isHeld?: boolean
}

export interface Invocation {
  argv: string[]
  env: Record<string, string>
  /** Written to standard input; without it, standard input is closed. */
  stdin?: string
  /** Written to a file during the call. Its path takes the place of `{prompt_file}` in the arguments. */
  promptFile?: string
  /** The client's session, if its id is known before it prints anything. */
  session?: string
}

/** A client that has ended. */
export interface EndedClient {
  session: string
  /** The whole environment that it had. */
  env: Record<string, string | undefined>
  before: Spent
}

/** What a session had spent before it was resumed. */
export interface Spent {
  input: number
  output: number
  usd: number
}

/** Stateful, one for each phase. Accepts any line of either stream, and never throws. */
export type LineReader = (line: string) => AgentEvent[]

export interface Agent {
  name: string
  label: string
  canResume: boolean
  /** The variables that decide which account the client uses. */
  accountVariables?: RegExp
  /** The words of its command, if a person has configured it. */
  words?: readonly string[]
  /** Variables that the configuration sets for it. */
  ownEnv?: Readonly<Record<string, string>>
  /** False for a client that prints plain text: it is judged only by git and verification. */
  speaksEvents: boolean
  /** What it reports while or after it works. Nothing else can be limited by a budget. */
  reports: readonly (keyof Limits)[]
  invoke(call: PhaseCall): Invocation
  /**
   * `before` is for a resumed session: clients that count whole sessions would otherwise report the same tokens twice.
   */
  reader(before?: Spent): LineReader
  /** What an exit code means if the stream contained no reason. */
  exitHint?(code: number): 'auth' | 'limit' | 'max-turns' | null
  /** Further events from the file of a session, if the client does not print everything. */
  readSessionFile?(ended: EndedClient): AgentEvent[]
  /** The time that a limit message names, read at `now`. */
  limitReset?(message: string, now: Date): string | null
}
