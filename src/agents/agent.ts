/** What an agent's client says while it works, whichever client it is. */
export type AgentEvent =
  | { kind: 'session'; id: string }
  | { kind: 'text'; text: string }
  /** `detail` is one short line of what the tool does. */
  | { kind: 'tool'; name: string; detail: string }
  /** The model was asked again, so often by now. Not every client lets that be seen. */
  | { kind: 'turn'; count: number }
  /** The phase's total so far, prompt tokens from a cache included. */
  | { kind: 'tokens'; input: number; output: number }
  /** The phase's total so far. */
  | { kind: 'cost'; usd: number }
  /** A usage limit was hit; `resetsAt` where the message names a moment. Else ask the agent's `limitReset`. */
  | { kind: 'limit'; resetsAt: string | null; message: string }
  /**
   * The terminal event; where a client gives several, the last one counts. `reason` is the client's own word for why it
   * failed, or names the tools that were denied in a run that it calls a success.
   */
  | { kind: 'result'; ok: boolean; text: string; reason: string | null; turns: number | null }
  /** It may still go on: what it says or does after an error means that the error has passed. */
  | { kind: 'error'; message: string; code: ErrorCode }

/** `limit` lasts until a reset, `overloaded` passes by itself. */
export type ErrorCode = 'auth' | 'limit' | 'overloaded' | 'max-turns' | 'max-cost' | 'other'

export interface PhaseCall {
  prompt: string
  access: 'work' | 'read-only'
  model?: string
  maxTurns?: number
  maxCostUsd?: number
  /** The session to go on with. */
  resume?: string
  cwd: string
  isRoot: boolean
}

export interface Invocation {
  argv: string[]
  env: Record<string, string>
  /** Written to standard input; without it standard input is closed. */
  stdin?: string
}

/** What a session had spent before it was resumed. */
export interface Spent {
  input: number
  output: number
  usd: number
}

/** Stateful, one a phase. Takes any line of either stream, and never throws. */
export type LineReader = (line: string) => AgentEvent[]

export interface Agent {
  name: string
  label: string
  canResume: boolean
  /** False for a client that prints plain text: it is judged by git and verification alone. */
  speaksEvents: boolean
  invoke(call: PhaseCall): Invocation
  /** `before` is for a resumed session: clients that count whole sessions would else report the same tokens twice. */
  reader(before?: Spent): LineReader
  /** What an exit code says where the stream said nothing. */
  exitHint?(code: number): 'auth' | 'limit' | 'max-turns' | null
  /** The moment a limit message names, read at `now`. */
  limitReset?(message: string, now: Date): string | null
}
