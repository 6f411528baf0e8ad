import { titleOf } from '../../../core/task/task.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { WorkEvents } from '../../../scheduler/work-report.ts'
import type { CallContext } from '../../call-context.ts'
import { type LiveRow, renderLiveRows } from '../../render/watch/run-rows.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo } from '../../terminal/fit-to.ts'
import { openLiveBlock } from '../../terminal/live-block.ts'
import type { TerminalSize } from '../../terminal/terminal-size.ts'
import type { LineEvents, WorkPrinter } from './printer-interface.ts'

type Progress = Parameters<WorkEvents['progress']>[1]

/** For a terminal: a line for each running task, redrawn in place, and the events above them. */
export function liveWorkPrinter(
  context: CallContext,
  eventPrinter: (print: (line: string) => void) => LineEvents,
): WorkPrinter {
  const runs = new Map<string, LiveRow>()
  let idle: string | null = null
  const block = openLiveBlock(context.out, (size) => {
    const rows = renderLiveRows([...runs.values()], context.display, size, context.clock())
    const hasRoom = idle !== null && runs.size > 0 && rows.length + 2 < size.rows
    return hasRoom ? [...rows, idleLine(idle ?? '', context.display, size)] : rows
  })
  const events = eventPrinter((line) => block.above(() => context.out.write(`${line}\n`)))
  return {
    ...events,
    started(plan) {
      runs.set(plan.subject.run, {
        number: plan.subject.number,
        phase: 'prepare',
        since: context.clock(),
        tokens: 0,
        usd: 0,
        title: titleOf(plan.subject.task),
        action: '',
      })
      events.started(plan)
    },
    progress(plan, progress) {
      const row = runs.get(plan.subject.run)
      if (row) runs.set(plan.subject.run, advance(row, progress))
    },
    ended(plan, result, task) {
      runs.delete(plan.subject.run)
      events.ended(plan, result, task)
    },
    warned(sentence) {
      block.above(() => {
        context.out.flush()
        context.err.write(`${sentence}\n`)
        context.err.flush()
      })
    },
    idle: (slots) => {
      idle = slots && `${plural(slots.free, 'worker')} idle. ${printable(slots.why)}`
    },
    close: block.end,
  }
}

function idleLine(words: string, { style }: Display, { columns }: TerminalSize): string {
  return style.dim(cutTo(words, columns - 1))
}

function advance(row: LiveRow, { phase, action, tokensIn, tokensOut, costUsd }: Progress): LiveRow {
  const isNewPhase = phase !== undefined && phase !== row.phase
  return {
    ...row,
    phase: phase ?? row.phase,
    action: action ?? (isNewPhase ? '' : row.action),
    tokens: tokensIn === undefined && tokensOut === undefined ? row.tokens : (tokensIn ?? 0) + (tokensOut ?? 0),
    usd: costUsd ?? row.usd,
  }
}
