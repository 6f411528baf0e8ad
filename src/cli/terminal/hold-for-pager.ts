import type { CallContext } from '../call-context.ts'
import type { OutputFlags } from '../flags/output-flags.ts'
import { widthOf } from './fit-to.ts'

/**
 * A command that has the flag --no-pager shows through a pager what does not fit on the terminal. Its output is kept
 * back until it has ended.
 */
export function holdForPager(context: CallContext, flags: Partial<Pick<OutputFlags, 'no-pager'>>): void {
  if (flags['no-pager'] === true) context.display = { ...context.display, height: null }
  const { width, height } = context.display
  if (flags['no-pager'] !== false || width === null || height === null || context.env.TERM === 'dumb') return
  context.out.hold({
    isNeeded: (text) => isLonger(text, { width, height }),
    show: (parts) => import('./show-in-pager.ts').then(({ showInPager }) => showInPager(context, parts)),
  })
}

/** Whether the text takes more lines than a screen has beside the line of the next prompt. */
function isLonger(text: string, { width, height }: { width: number; height: number }): boolean {
  let rows = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? undefined : end)
    rows += Math.max(1, Math.ceil(widthOf(line) / width))
    if (rows >= height) return true
    from = end < 0 ? text.length : end + 1
  }
  return false
}
