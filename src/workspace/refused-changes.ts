/** Why a ledger cannot be changed. Loaded only then. */
import { LAST_NUMBER, type Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'

export function numbersExhausted({ id }: Task): UserError {
  return new UserError(
    'NUMBERS_EXHAUSTED',
    `There is no free number for ${id}: the ledger has a task #${LAST_NUMBER}`,
    {
      hint: 'Nothing was changed. Use another ledger: --branch NAME',
    },
  )
}

export function ledgerBusy(ref: string, tries: number): UserError {
  return new UserError('LEDGER_BUSY', `${ref} was moved by others ${tries} times in a row`, {
    hint: 'Nothing was changed. Run the command again.',
  })
}
