/** An error that a user can reach: a stable code, the fact with the offending value, and the next step. */
export class UserError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly exitCode: 1 | 2

  constructor(code: string, message: string, options: { hint?: string; exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.exitCode = options.exitCode ?? 1
  }
}
