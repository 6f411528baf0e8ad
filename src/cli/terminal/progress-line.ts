import type { CallContext } from '../call-context.ts'
import type { Output } from './output.ts'

/** Before that, most work is over. */
const SILENT_MS = 300
const REDRAW_MS = 100

export type Progress = (done: number, total: number) => void

/** Shows on a terminal how much is done, on a line that disappears at the end. */
export function progressLine(err: Output, what: string): Progress {
  const start = performance.now()
  let drawn = 0
  return (done, total) => {
    const now = performance.now()
    if (done === total && drawn > 0) err.write('\r\x1b[K')
    else if (now - start < SILENT_MS || now - drawn < REDRAW_MS) return
    else {
      drawn = now
      err.write(`\r\x1b[K${what}: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`)
    }
    err.flush()
  }
}

/** For the first index of a large ledger. */
export function indexProgress({ err, isTerminalNow }: Pick<CallContext, 'err' | 'isTerminalNow'>): Progress {
  return isTerminalNow(2) ? progressLine(err, 'Building the index, files of tasks read') : () => {}
}
