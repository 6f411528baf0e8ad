import type { UserError } from '../../../core/user-error.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { errorFields, errorLines } from '../../render/error.ts'
import { printResult } from '../../terminal/print.ts'

interface Stopped {
  fault: UserError
  /** The report of what was done before it. */
  done: object
}

/** The fault that stopped the work, as every error is printed. With `--json` it is beside what was done before it. */
export function printFault(context: CallContext, flags: GlobalFlags, { fault, done }: Stopped): void {
  const { name } = context.display
  if (flags.json) printResult(context, flags, { ...done, error: errorFields(fault, name) }, [])
  else context.err.write(errorLines(fault, { json: false, name }).err)
}
