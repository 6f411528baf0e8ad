import type { Sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'

/** `show` and `edit` take a second argument only with --text. */
export function unexpectedTextName(name: string, hint: Sentence): UserError {
  return new UserError('USAGE', `Unexpected argument "${name}"`, { hint, exitCode: 2 })
}
