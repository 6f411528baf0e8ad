import type { LandWatcher } from '../../../landing/land-report.ts'
import type { CallContext } from '../../call-context.ts'
import { elapsed } from '../../render/amounts.ts'
import { verifyingWords } from '../../render/land/landing.ts'
import { cutTo } from '../../terminal/fit-to.ts'
import { openLiveBlock } from '../../terminal/live-block.ts'
import { landingPrinter } from './print-landing.ts'

interface MergePrinter extends Omit<LandWatcher, 'moved'> {
  /** Prints a sentence on stderr, at once. */
  reported(sentence: string): void
  /** Nothing is left on the terminal but ordinary lines. */
  close(): void
}

/**
 * Prints what happens while branches land. On a terminal, the check that runs is a line that is redrawn in place.
 * Otherwise it is a line on stderr: stdout has only results.
 */
export function mergePrinter(context: CallContext, json: boolean): MergePrinter {
  const { display, env } = context
  const printTo = (name: 'out' | 'err') => (line: string) => {
    context[name].write(`${line}\n`)
    context[name].flush()
  }
  const isLive = !json && display.width !== null && env.TERM !== 'dumb'
  if (isLive) return liveMergePrinter(context, printTo)
  return {
    ...landingPrinter(printTo(json ? 'err' : 'out'), display),
    verifying: (tasks, base) => printTo('err')(`Verifying ${verifyingWords(tasks, base)}...`),
    reported: printTo('err'),
    close() {},
  }
}

type PrintTo = (name: 'out' | 'err') => (line: string) => void

function liveMergePrinter({ out, clock, display }: CallContext, printTo: PrintTo): MergePrinter {
  let check: { words: string; since: number } | null = null
  const block = openLiveBlock(out, ({ columns }) => {
    if (check === null) return []
    return [display.style.dim(cutTo(`verifying ${check.words}  ${elapsed((clock() - check.since) / 1000)}`, columns))]
  })
  const above = (name: 'out' | 'err') => (line: string) => block.above(() => printTo(name)(line))
  const settled = (line: string) => {
    check = null
    above('out')(line)
  }
  return {
    ...landingPrinter(settled, display),
    verifying: (tasks, base) => {
      check = { words: verifyingWords(tasks, base), since: clock() }
    },
    reported: above('err'),
    close: block.end,
  }
}
