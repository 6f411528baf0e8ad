import { UserError } from '../core/user-error.ts'

const WHY: Record<string, string> = {
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
}

/** Touches a person's own file. What the machine forbids is no defect: it is said with the file's name. */
export function refuseForbidden<T>(path: string, verb: 'read' | 'written', work: () => T): T {
  try {
    return work()
  } catch (error) {
    const why = WHY[(error as NodeJS.ErrnoException).code ?? '']
    if (why === undefined) throw error
    const code = verb === 'read' ? 'UNREADABLE_FILE' : 'UNWRITABLE_FILE'
    throw new UserError(code, `${path} cannot be ${verb}: ${why}`, { hint: 'Nothing was changed.', cause: error })
  }
}
