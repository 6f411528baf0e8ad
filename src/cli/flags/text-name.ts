import type { Sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'

/** `show` and `edit` take a second argument only with --text. */
export function refuseTextName(name: string | undefined, hint: Sentence): void {
  if (name === undefined) return
  throw new UserError('USAGE', `Unexpected argument "${name}"`, { hint, exitCode: 2 })
}
