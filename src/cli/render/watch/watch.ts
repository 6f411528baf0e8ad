import { printable } from '../../../core/text/printable.ts'
import type { InboxItem } from '../../../reports/inbox-item.ts'
import type { WatchState } from '../../../reports/watch-state.ts'
import type { OpenTask } from '../../../workspace/views/ready-tasks.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, widthOf } from '../../terminal/fit-to.ts'
import type { TerminalSize } from '../../terminal/terminal-size.ts'
import { shareLines } from '../share-lines.ts'
import { waitingWords } from '../task-text.ts'
import { subjectOf } from './inbox.ts'
import { renderRunRows, runRow } from './run-rows.ts'

/** Everything once, without cutting lines: for a pipe. */
export function* renderWatch(state: WatchState, display: Display, now: number): Iterable<string> {
  yield headline(state)
  for (const { title, lines } of sectionsOf(state, display, now)) {
    yield ''
    yield title
    yield* lines.map((line) => `  ${line}`)
  }
}

/** Exactly as many lines as the terminal has, none wider than it. */
export function renderScreen(
  state: WatchState,
  display: Display,
  { columns, rows }: TerminalSize,
  now: number,
): string[] {
  const inset = { ...display, width: Math.max(1, columns - 2) }
  const room = Math.max(0, rows - 2)
  const body = fitSections(sectionsOf(state, inset, now), room, inset).slice(0, room)
  const gap = Array.from({ length: room - body.length }, () => '')
  return [titleBar(state, display, columns, now), ...body, ...gap, display.style.dim(cutTo('q quits', columns))].slice(
    0,
    rows,
  )
}

/** The headline, and the time if there is room for it: a clock that stops shows that nothing is being read. */
function titleBar(state: WatchState, display: Display, columns: number, now: number): string {
  const clock = new Date(now).toTimeString().slice(0, '00:00:00'.length)
  const text = cutTo(headline(state), columns)
  const gap = columns - widthOf(text) - clock.length
  return gap < 2 ? display.style.bold(text) : `${display.style.bold(text)}${' '.repeat(gap)}${clock}`
}

function headline({ ledger, counts }: WatchState): string {
  const words = [
    `${counts.in_progress} in_progress`,
    `${counts.ready} ready`,
    `${counts.blocked} blocked`,
    `${counts.completed} completed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
  ]
  return `${printable(ledger)}: ${words.join(', ')}`
}

interface Section {
  title: string
  lines: string[]
}

function sectionsOf(state: WatchState, display: Display, now: number): Section[] {
  const section = (title: string, lines: string[], none: string): Section => ({
    title: display.style.bold(fitted(title, display)),
    lines: lines.length > 0 ? lines : [display.style.dim(fitted(none, display))],
  })
  const inbox = state.inbox.map((item) => inboxLine(item, display))
  const queue = state.queue.map((task) => queueLine(task, display))
  return [
    section('Running', runLines(state, display, now), 'nothing'),
    section('Needs you', inbox, 'nothing'),
    section('Queue', queue, 'empty'),
  ]
}

function runLines({ runs, elsewhere }: WatchState, display: Display, now: number): string[] {
  const others = elsewhere.map(({ number, title, holder, started_at }) => {
    const seconds = (now - Date.parse(started_at)) / 1000
    return { number, agent: holder, phase: 'elsewhere', seconds, tokens: 0, usd: 0, title, action: '' }
  })
  return [...renderRunRows([...runs.map((run) => runRow(run, now)), ...others], display)]
}

function inboxLine(item: InboxItem, display: Display): string {
  const { code, detail } = item
  const about = detail === '' ? '' : `: ${printable(detail)}`
  const line = fitted(`${code} ${subjectOf(item)}${about}`, display)
  return display.style.red(line.slice(0, code.length)) + line.slice(code.length)
}

function queueLine(task: OpenTask, display: Display): string {
  const type = task.type === 'task' ? '' : `[${task.type}] `
  const line = `#${task.number} ${type}${printable(task.title)}`
  const waiting = waitingWords(task, display)
  return waiting === '' ? fitted(line, display) : display.style.dim(fitted(`${line} (${waiting})`, display))
}

function fitted(text: string, display: Display): string {
  return display.width === null ? text : cutTo(text, display.width)
}

function fitSections(sections: readonly Section[], room: number, display: Display): string[] {
  const needs = sections.map(({ lines }) => lines.length)
  const given = shareLines(needs, room - 2 * sections.length)
  return sections.flatMap(({ title, lines }, at) => [
    '',
    title,
    ...cutList(lines, given[at] ?? 0, display).map((line) => `  ${line}`),
  ])
}

function cutList(lines: readonly string[], room: number, display: Display): string[] {
  if (lines.length <= room) return [...lines]
  if (room < 1) return []
  const shown = lines.slice(0, room - 1)
  return [...shown, display.style.dim(fitted(`… ${lines.length - shown.length} more`, display))]
}
