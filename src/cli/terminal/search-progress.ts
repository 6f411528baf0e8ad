import type { CallContext } from '../call-context.ts'

/** Before that, most updates are over. */
const SILENT_MS = 300
const REDRAW_MS = 100

type Progress = (done: number, total: number) => void

/** Shows on a terminal that the texts are being brought up to date, on a line that disappears at the end. */
export async function searchProgress({ err, isTerminal }: CallContext): Promise<{ progress?: Progress }> {
  if (!(await isTerminal(2))) return {}
  const start = performance.now()
  let drawn = 0
  const progress = (done: number, total: number): void => {
    const now = performance.now()
    if (done === total && drawn > 0) err.write('\r\x1b[K')
    else if (now - start < SILENT_MS || now - drawn < REDRAW_MS) return
    else {
      drawn = now
      err.write(
        `\r\x1b[KReading texts to search in: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
      )
    }
    err.flush()
  }
  return { progress }
}
