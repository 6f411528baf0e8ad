import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'

/** A store that cannot be written is a fault of the machine, not a defect. */
export function notWritable(path: string, error: { code?: string }): UserError {
  const isFull = /FULL|ENOSPC/.test(error.code ?? '')
  return new UserError(isFull ? 'DISK_FULL' : 'READ_ONLY', `${path} cannot be written`, {
    hint: isFull
      ? sentence`Free some space, then check whether the change was made: ${command`log`}`
      : 'Nothing was changed. The repository cannot be written by this user: work in a clone of your own.',
    cause: error,
  })
}
