import { type Sentence, sentenceText } from './sentence.ts'

/** An error that a user can reach: a stable code, the fact with the offending value, and the next step. */
export class UserError extends Error {
  readonly code: string
  /** The message with its commands as data. `message` names them as `gza …`: for records, which have no caller. */
  readonly fact: Sentence
  readonly hint: Sentence | undefined
  readonly exitCode: 1 | 2
  /** Tasks that wait for each other, a line for each cycle, if they were the reason. */
  readonly cycles: readonly string[]

  constructor(code: string, fact: Sentence, options: UserErrorOptions = {}) {
    super(sentenceText(fact), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fact = fact
    this.hint = options.hint
    this.exitCode = options.exitCode ?? 1
    this.cycles = options.cycles ?? []
  }
}

/** The fact and the next step in one text: for records and progress lines, which have no caller. */
export function errorWithHint(error: Error, between = ' '): string {
  const hint = error instanceof UserError ? sentenceText(error.hint ?? '') : ''
  return [error.message, hint].filter(Boolean).join(between)
}

interface UserErrorOptions {
  hint?: Sentence
  exitCode?: 1 | 2
  cycles?: readonly string[]
  cause?: unknown
}
