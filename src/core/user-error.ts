/** An error that a user can reach: a stable code, the fact with the offending value, and the next step. */
export class UserError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly exitCode: 1 | 2
  /** Tasks that wait for each other, a line for each loop: where those were the reason. */
  readonly loops: readonly string[]

  constructor(code: string, message: string, options: UserErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.exitCode = options.exitCode ?? 1
    this.loops = options.loops ?? []
  }
}

interface UserErrorOptions {
  hint?: string
  exitCode?: 1 | 2
  loops?: readonly string[]
  cause?: unknown
}
