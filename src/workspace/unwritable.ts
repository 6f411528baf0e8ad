import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'

/** A store that cannot be written is the machine's doing, and no defect. */
export function unwritable(path: string, error: { code?: string }): UserError {
  const isFull = /FULL|ENOSPC/.test(error.code ?? '')
  return new UserError(isFull ? 'DISK_FULL' : 'READ_ONLY', `${path} cannot be written`, {
    hint: isFull
      ? sentence`Free some space, then look whether the change is there: ${command`log`}`
      : 'Nothing was changed. The repository cannot be written by this user.',
    cause: error,
  })
}
