import { printable } from '../../../core/text/printable.ts'
import type { CallContext } from '../../call-context.ts'
import { endedLine, phaseLine, reviewLine, startedLine } from '../../render/run/work.ts'
import type { Display } from '../../terminal/display.ts'
import { landingPrinter } from '../land/print-landing.ts'
import { liveWorkPrinter } from './print-live-work.ts'
import type { LineEvents, WorkPrinter } from './printer-interface.ts'

/**
 * Prints what happens while agents work: a line for each event. On a terminal, a line for each running task follows
 * below them and is redrawn in place. With --json everything goes to stderr, line by line.
 */
export function workPrinter(context: CallContext, json: boolean): WorkPrinter {
  const isLive = !json && context.display.width !== null && context.env.TERM !== 'dumb'
  if (isLive) return liveWorkPrinter(context, (print) => eventPrinter(print, context.display))
  return plainPrinter(context, json ? 'err' : 'out')
}

function plainPrinter(context: CallContext, stream: 'out' | 'err'): WorkPrinter {
  const printTo = (name: 'out' | 'err') => (line: string) => {
    context[name].write(`${line}\n`)
    context[name].flush()
  }
  const print = printTo(stream)
  const phases = new Map<string, string>()
  return {
    ...eventPrinter(print, context.display),
    progress(plan, { phase }) {
      if (phase === undefined || phases.get(plan.subject.run) === phase) return
      phases.set(plan.subject.run, phase)
      if (phase !== 'review' && plan.order.review === null) print(phaseLine(plan, phase))
    },
    warned: printTo('err'),
    close() {},
  }
}

function eventPrinter(print: (line: string) => void, display: Display): LineEvents {
  const running = new Set<string>()
  return {
    ...landingPrinter(print, display),
    reported: (sentence) => print(printable(sentence)),
    started(plan) {
      running.add(plan.subject.run)
      print(startedLine(plan))
    },
    reviewMoved(plan, at, news) {
      // While several tasks run, each line names its task.
      const name = running.size > 1 ? `#${plan.subject.number} ` : ''
      print(`  ${name}${reviewLine(at, news)}`)
    },
    ended(plan, result, task) {
      running.delete(plan.subject.run)
      print(endedLine(plan, result, task.type, display))
    },
  }
}
