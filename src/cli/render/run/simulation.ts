import { plural } from '../../../core/text/plural.ts'
import type { ScheduledRun, Simulation } from '../../../scheduler/simulate-work.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'
import { elapsed } from '../amounts.ts'
import { keyedTitle, shortName } from '../task-text.ts'

/** The schedule as bars over time, then the critical path, then the schedules for other numbers of workers. */
export function* renderSimulation(simulation: Simulation, display: Display): Iterable<string> {
  if (simulation.schedule.length > 0) {
    yield* scheduleLines(simulation, display)
    yield ''
    yield* criticalLines(simulation, display)
    yield ''
    yield* tableLines(simulation, display)
    yield ''
    yield* hangingLines(basisLine(simulation), 2, display).map(display.style.dim)
  }
  yield* leftLines(simulation, display)
}

const NARROWEST_TITLE = 16
const WIDEST_BAR = 48

function* scheduleLines({ schedule, critical_path: { tasks } }: Simulation, display: Display): Iterable<string> {
  const isCritical = new Set(tasks.map(({ id }) => id))
  const length = schedule.reduce((latest, { end_seconds }) => Math.max(latest, end_seconds), 0)
  const heads = schedule.map(({ start_seconds, end_seconds, worker }) => [
    elapsed(start_seconds),
    elapsed(end_seconds),
    String(worker),
  ])
  const titles = ['start', 'end', 'worker']
  const widths = widthsOf([titles, ...heads])
  const names = schedule.map((run) => `${shortName({ ...run, status: 'pending' }, display)} ${keyedTitle(run)}`)
  const rest = (display.width ?? 120) - widths.reduce((sum, width) => sum + width + 2, 0) - 2
  // On a very narrow terminal the titles matter more.
  const isDrawn = rest >= NARROWEST_TITLE + 10
  const bar = isDrawn ? Math.max(8, Math.min(WIDEST_BAR, rest - Math.min(40, widestOf(names)))) : 0
  const nameWidth = display.width === null ? Number.POSITIVE_INFINITY : Math.max(NARROWEST_TITLE, rest - bar)
  yield display.style.bold(`${line(titles, widths)}  ${isDrawn ? `${padTo('', bar)}  ` : ''}task`)
  for (const [at, run] of schedule.entries()) {
    const name = cutTo(names[at] ?? '', nameWidth)
    const own = isCritical.has(run.id) ? display.style.yellow : (text: string) => text
    const [before, drawn, after] = barOf(run, length, bar)
    const drawing = isDrawn
      ? `${display.style.dim(before)}${own(drawn)}${display.style.dim(after)}  ${name}`
      : own(name)
    yield `${line(heads[at] ?? [], widths)}  ${drawing}`
  }
}

/** Not with Math.max(...): a call cannot take a hundred thousand arguments. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return widths
}

function widestOf(names: readonly string[]): number {
  return names.reduce((widest, name) => Math.max(widest, widthOf(name)), NARROWEST_TITLE)
}

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  ')
}

function barOf(
  { start_seconds: start, end_seconds: end }: ScheduledRun,
  length: number,
  columns: number,
): [string, string, string] {
  if (columns === 0) return ['', '', '']
  const scale = length === 0 ? 0 : columns / length
  const from = Math.min(columns - 1, Math.floor(start * scale))
  const to = Math.min(columns, Math.max(from + 1, Math.round(end * scale)))
  return ['·'.repeat(from), '█'.repeat(to - from), '·'.repeat(columns - to)]
}

function* criticalLines({ critical_path: { seconds, tasks } }: Simulation, display: Display): Iterable<string> {
  const names = tasks.map((task) => shortName({ ...task, status: 'pending' }, display))
  const head = `critical path, ${elapsed(seconds)}: `
  yield `${display.style.yellow(head)}${shortened(names, display.width === null ? null : display.width - widthOf(head))}`
}

/** Only the beginning and the end, if the whole does not fit on a line. */
function shortened(names: readonly string[], room: number | null): string {
  const all = names.join(' → ')
  if (room === null || widthOf(all) <= room) return all
  for (let kept = names.length - 2; kept >= 2; kept--) {
    const first = Math.ceil(kept / 2)
    const some = [...names.slice(0, first), '…', ...names.slice(names.length - (kept - first))].join(' → ')
    if (widthOf(some) <= room) return some
  }
  return `${names[0]} → … → ${names.at(-1)}`
}

function* tableLines({ schedules }: Simulation, display: Display): Iterable<string> {
  const alone = schedules[0]?.seconds ?? 0
  const header = ['workers', 'length', 'idle', 'busy', 'faster']
  const rows = schedules.map(({ workers, seconds, idle_seconds }) => {
    const all = workers * seconds
    const busy = all === 0 ? 100 : Math.round((100 * (all - idle_seconds)) / all)
    const times = seconds === 0 ? 1 : alone / seconds
    return [String(workers), elapsed(seconds), elapsed(idle_seconds), `${busy}%`, `${times.toFixed(1)}×`]
  })
  const widths = widthsOf([header, ...rows])
  yield display.style.bold(line(header, widths))
  for (const row of rows) yield line(row, widths)
}

function basisLine({ durations: { recorded, estimated } }: Simulation): string {
  const parts = [
    ...(recorded > 0 ? [`${recorded} from earlier runs of similar tasks`] : []),
    ...(estimated > 0 ? [`${estimated} estimated by size`] : []),
  ]
  return `durations: ${parts.join(', ')}`
}

function* leftLines({ not_run }: Simulation, display: Display): Iterable<string> {
  if (not_run.length === 0) return
  yield display.style.red(`${plural(not_run.length, 'task')} would not run:`)
  const named = not_run.map(
    (task) => `  ${shortName({ ...task, status: 'pending' }, display)} ${task.code}  ${keyedTitle(task)}`,
  )
  for (const text of named.slice(0, MOST_LEFT)) yield cutTo(text, display.width ?? Number.POSITIVE_INFINITY)
  if (named.length > MOST_LEFT) yield display.style.dim(`  and ${named.length - MOST_LEFT} more`)
}

const MOST_LEFT = 20
