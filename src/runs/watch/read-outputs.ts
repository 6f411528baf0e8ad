import { cutMiddle } from '../../core/text/cut-middle.ts'
import { mapTexts } from '../../core/text/map-texts.ts'
import { runLogPath } from '../../engine/log/log-record.ts'
import { type LogPlace, readLogPart } from '../../engine/log/read-log-part.ts'
import { liveRun } from '../../state/live/live-runs.ts'
import { findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { loggedEvents } from './logged-events.ts'
import { hasEnded, newestLogged } from './read-logs.ts'

/** What an agent has written and done since a place in its log. */
export interface RunOutput {
  run: string
  lines: OutputLine[]
  /** For the next call. */
  next: string
  /** Something before these lines was left out. */
  has_gap: boolean
  ended: boolean
}

type OutputLine = ReturnType<typeof lineOf>

export interface OutputPlace {
  run: string
  /** As `next` said; empty: the end of what there is. */
  after: string
}

/** A page shows no more of one text. */
const EDGES = { head: 12 * 1024, tail: 4 * 1024 }
const MOST_LINES = 500

/** The new output of several runs of this clone. A run that is unknown here is left out. */
export function readOutputs(ws: Workspace, places: readonly OutputPlace[]): RunOutput[] {
  return places.flatMap((place) => {
    const isKnown = ws.live !== null && liveRun(ws.live, place.run) !== null
    return isKnown ? [outputOf(ws, place)] : []
  })
}

/** The same of the newest run of a task. */
export function readTaskOutput(ws: Workspace, ref: string, after: string) {
  const view = readLedger(ws)
  const { run, attempt, agent } = newestLogged(view, findTask(view, ref), ref)
  return { ...outputOf(ws, { run, after }), attempt, agent }
}

function outputOf(ws: Workspace, { run, after }: OutputPlace): RunOutput {
  // Asked before reading, so that everything written before the end is read.
  const ended = hasEnded(ws, run)
  const { records, next, hasGap } = readLogPart(runLogPath(ws.repo, run), placeIn(after))
  const shown = records.slice(-MOST_LINES)
  return {
    run,
    lines: shown.map(lineOf),
    next: next === null ? '' : `${next.file} ${next.offset} ${next.order}`,
    has_gap: hasGap || shown.length < records.length,
    ended,
  }
}

function lineOf({ at, phase, stream, line, event }: ReturnType<typeof readLogPart>['records'][number]) {
  const events = loggedEvents(event)
  const short = <T>(value: T): T => mapTexts(value, (text) => cutMiddle(text, EDGES)) as T
  return { at, phase, stream, events: short(events), line: events.length > 0 ? null : short(line) }
}

function placeIn(text: string): LogPlace | null {
  const [, file, offset, order] = /^(\d+ \d+) (\d{1,15}) (\d{1,17})$/.exec(text) ?? []
  return file === undefined ? null : { file, offset: Number(offset), order: Number(order) }
}
