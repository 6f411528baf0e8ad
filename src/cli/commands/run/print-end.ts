import type { WorkEnd } from '../../../scheduler/end/read-end.ts'
import type { CallContext } from '../../call-context.ts'
import { renderEnd } from '../../render/run/end.ts'
import { printLines } from '../../terminal/print.ts'

/** On stderr: stdout has what happened, in the form that scripts know. */
export function printEnd({ out, err, display }: CallContext, end: WorkEnd): void {
  out.flush()
  printLines(err, renderEnd(end, display))
}
