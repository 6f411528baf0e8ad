import type { WorkWatcher } from '../../../scheduler/work-on-tasks.ts'
import type { CallContext } from '../../call-context.ts'
import type { Display } from '../../terminal/display.ts'
import { openLiveBlock } from '../../terminal/live-block.ts'
import type { TerminalSize } from '../../terminal/terminal-size.ts'
import { type RunRow, renderRunRows } from '../watch/run-rows.ts'
import type { LandEvent, WorkLines } from './work-lines.ts'

type Events = Pick<WorkLines, 'said' | 'started' | 'reviewMoved' | 'ended' | LandEvent>
type Progress = Parameters<WorkWatcher['progress']>[1]

/** On a terminal: a line for each running task that is redrawn in place, and what happens above them. */
export function showLive(context: CallContext, eventLines: (say: (line: string) => void) => Events): WorkLines {
  const runs = new Map<string, LiveRow>()
  const block = openLiveBlock(context.out, (size) =>
    composeRows([...runs.values()], context.display, size, context.clock()),
  )
  const events = eventLines((line) => block.above(() => context.out.write(`${line}\n`)))
  return {
    said: events.said,
    landed: events.landed,
    returned: events.returned,
    waiting: events.waiting,
    reviewMoved: events.reviewMoved,
    started(plan) {
      runs.set(plan.run, {
        number: plan.number,
        phase: 'prepare',
        since: context.clock(),
        tokens: 0,
        usd: 0,
        action: '',
      })
      events.started(plan)
    },
    progress(plan, progress) {
      const row = runs.get(plan.run)
      if (row) runs.set(plan.run, advance(row, progress))
    },
    ended(plan, result, task) {
      runs.delete(plan.run)
      events.ended(plan, result, task)
    },
    warned(sentence) {
      block.above(() => {
        context.out.flush()
        context.err.write(`${sentence}\n`)
        context.err.flush()
      })
    },
    close: block.end,
  }
}

interface LiveRow extends Omit<RunRow, 'seconds'> {
  since: number
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

/** As many lines as there is room for, one column short of the terminal: a full line would wrap. */
export function composeRows(
  rows: readonly LiveRow[],
  display: Display,
  { columns, rows: height }: TerminalSize,
  now: number,
): string[] {
  const room = Math.max(1, height - 2)
  const shown = rows.length <= room ? rows : rows.slice(0, room - 1)
  const timed = shown.map((row) => ({ ...row, seconds: (now - row.since) / 1000 }))
  const lines = [...renderRunRows(timed, { ...display, width: Math.max(1, columns - 1) })]
  return shown.length === rows.length ? lines : [...lines, display.style.dim(`… ${rows.length - shown.length} more`)]
}
