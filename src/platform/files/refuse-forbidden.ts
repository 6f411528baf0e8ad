import { FORBIDDEN } from '../../core/machine-error.ts'
import { UserError } from '../../core/user-error.ts'

/**
 * Accesses a person's own file. What the machine refuses is not a defect of gza: it is reported with the file's name.
 */
export function refuseForbidden<T>(path: string, verb: 'read' | 'written', work: () => T): T {
  try {
    return work()
  } catch (error) {
    const why = FORBIDDEN[(error as NodeJS.ErrnoException).code ?? '']
    if (why === undefined) throw error
    const code = verb === 'read' ? 'UNREADABLE_FILE' : 'UNWRITABLE_FILE'
    throw new UserError(code, `${path} cannot be ${verb}: ${why}`, { hint: 'Nothing was changed.', cause: error })
  }
}
