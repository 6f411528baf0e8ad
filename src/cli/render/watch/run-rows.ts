import { plainLine } from '../../../core/run/count-tests.ts'
import { oneLine } from '../../../core/text/one-line.ts'
import { printable } from '../../../core/text/printable.ts'
import type { RunView, ShownRun } from '../../../runs/watch/list-and-kill.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import type { TerminalSize } from '../../terminal/terminal-size.ts'
import { dollars, elapsed, shortCount } from '../amounts.ts'

/** A run, as one line shows it. */
export interface RunRow {
  /** 0: a landing, which has no task. */
  number: number
  /** Left out if there is no room for it or only one agent. */
  agent?: string
  phase: string
  seconds: number
  tokens: number
  usd: number
  title: string
  action: string
}

/** A line for each run, in columns. Columns that are empty for every run are left out. The last ones, title and action, are cut. */
export function* renderRunRows(rows: readonly RunRow[], display: Display): Iterable<string> {
  const heads = rows.map(cellsOf)
  const widths = heads.reduce<number[]>(
    (widest, cells) => cells.map((cell, at) => Math.max(widest[at] ?? 0, widthOf(cell))),
    [],
  )
  const lines = heads.map((cells) => cells.flatMap((cell, at) => alignCell(cell, at, widths[at] ?? 0)).join('  '))
  const ends = rows.map(({ title, action }) => ({ title: onOneLine(title), action: onOneLine(action) }))
  const room = display.width === null ? null : display.width - widthOf(lines[0] ?? '') - 2
  const titleWidth = titleColumn(ends, room)
  for (const [at, { title, action }] of ends.entries()) {
    const end = action === '' ? cutTo(title, room ?? Number.POSITIVE_INFINITY) : besides(title, action, titleWidth)
    yield joinLine(lines[at] ?? '', end, { display, room })
  }
}

interface End {
  title: string
  action: string
}

/** As wide as the longest title, and at most half of the room: what the agent does needs the other half, or all of it. */
function titleColumn(ends: readonly End[], room: number | null): number {
  const longest = Math.max(0, ...ends.filter(({ action }) => action !== '').map(({ title }) => widthOf(title)))
  if (room === null) return longest
  return room < 2 * SHORTEST_TITLE ? 0 : Math.min(longest, Math.floor(room / 2))
}

const SHORTEST_TITLE = 12

function besides(title: string, action: string, width: number): string {
  return width === 0 ? action : `${padTo(cutTo(title, width), width)}  ${action}`
}

function onOneLine(text: string): string {
  return printable(oneLine(plainLine(text)))
}

function cellsOf({ number, agent = '', phase, seconds, tokens, usd }: RunRow): string[] {
  return [
    number === 0 ? '-' : `#${number}`,
    printable(agent),
    phaseWords(phase),
    elapsed(seconds),
    tokens > 0 ? `${shortCount(tokens)} tokens` : '',
    usd > 0 ? dollars(usd) : '',
  ]
}

const FIRST_NUMBER_COLUMN = 3

function alignCell(cell: string, column: number, width: number): string[] {
  if (width === 0) return []
  return [column < FIRST_NUMBER_COLUMN ? padTo(cell, width) : ' '.repeat(width - widthOf(cell)) + cell]
}

function joinLine(head: string, end: string, { display, room }: { display: Display; room: number | null }): string {
  if (room !== null && room < SHORTEST) return cutTo(head, display.width ?? 0)
  return `${head}  ${display.style.dim(room === null ? end : cutTo(end, room))}`.trimEnd()
}

// A shorter end is not readable.
const SHORTEST = 4

export function renderRuns(runs: readonly ShownRun[], display: Display, now: number): Iterable<string> {
  return renderRunRows(
    runs.map((run) => (run.orphan === null ? runRow(run, now) : orphanRow(run, run.orphan, now))),
    display,
  )
}

/** Its supervisor is dead, so nothing reports its progress. What remains is how to find it. */
function orphanRow(run: RunView, { pids }: { pids: readonly number[] }, now: number): RunRow {
  const processes = pids.length === 0 ? 'no process left' : `pid ${pids.join(', ')}`
  return { ...runRow(run, now), phase: 'orphaned', action: `${processes}; run ${run.run}` }
}

export function runRow(run: RunView, now: number): RunRow {
  const { number, agent, phase } = run
  return {
    number,
    agent,
    phase,
    seconds: (now - Date.parse(run.started_at)) / 1000,
    tokens: run.tokens_in + run.tokens_out,
    usd: run.cost_usd,
    title: run.title,
    action: run.last_action ?? '',
  }
}

/** A run that has not ended. */
export interface LiveRow extends Omit<RunRow, 'seconds'> {
  /** In milliseconds, as Date.now() counts them. */
  since: number
}

/** As many rows as the terminal has room for, one column narrower than it: a full line would wrap. */
export function renderLiveRows(
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

/** What an agent is doing in a phase, and in which round: `implement (iteration 2 of 10)`. */
export function phaseWords(phase: string): string {
  const [name = '', round = ''] = phase.split(/(?= \()/, 2)
  return (Object.hasOwn(PHASE_WORDS, name) ? PHASE_WORDS[name] : printable(name)) + printable(round)
}

const PHASE_WORDS: Record<string, string> = {
  prepare: 'preparing',
  setup: 'setting up',
  task: 'working',
  run: 'working',
  implement: 'implementing',
  improve: 'improving',
  plan: 'planning',
  explore: 'exploring',
  review: 'reviewing',
  verify: 'verifying',
}
