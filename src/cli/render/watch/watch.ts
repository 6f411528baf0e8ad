import { printable } from '../../../core/text/printable.ts'
import type { InboxItem } from '../../../reports/inbox.ts'
import type { WatchState } from '../../../reports/watch-state.ts'
import type { OpenTask } from '../../../workspace/views/ready-tasks.ts'
import type { Look } from '../../terminal/face.ts'
import { cutTo, widthOf } from '../../terminal/fit-to.ts'
import type { TerminalSize } from '../../terminal/terminal-size.ts'
import { blockedBy } from '../task-words.ts'
import { runRow, subjectOf } from './runs.ts'
import { renderRunRows } from './runs-rows.ts'

/** Everything, once and in full: for a pipe. */
export function* renderWatch(state: WatchState, look: Look, now: number): Iterable<string> {
  yield headline(state)
  for (const { title, lines } of sectionsOf(state, look, now)) {
    yield ''
    yield title
    yield* lines.map((line) => `  ${line}`)
  }
}

/** Exactly as many lines as the terminal has, none wider than it. */
export function renderScreen(state: WatchState, look: Look, { columns, rows }: TerminalSize, now: number): string[] {
  const inset = { ...look, width: Math.max(1, columns - 2) }
  const room = Math.max(0, rows - 2)
  const body = fitSections(sectionsOf(state, inset, now), room, inset).slice(0, room)
  const gap = Array.from({ length: room - body.length }, () => '')
  return [titleBar(state, look, columns, now), ...body, ...gap, look.ink.dim(cutTo('q leaves', columns))].slice(0, rows)
}

/** The headline, and the time where there is room for it: a clock that stands still tells that nothing is read any more. */
function titleBar(state: WatchState, look: Look, columns: number, now: number): string {
  const clock = new Date(now).toTimeString().slice(0, '00:00:00'.length)
  const text = cutTo(headline(state), columns)
  const gap = columns - widthOf(text) - clock.length
  return gap < 2 ? look.ink.bold(text) : `${look.ink.bold(text)}${' '.repeat(gap)}${clock}`
}

function headline({ ledger, counts }: WatchState): string {
  const words = [
    `${counts.running} running`,
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

function sectionsOf(state: WatchState, look: Look, now: number): Section[] {
  const section = (title: string, lines: string[], none: string): Section => ({
    title: look.ink.bold(fitted(title, look)),
    lines: lines.length > 0 ? lines : [look.ink.dim(fitted(none, look))],
  })
  const inbox = state.inbox.map((item) => inboxLine(item, look))
  const queue = state.queue.map((task) => queueLine(task, look))
  return [
    section('Running', runLines(state, look, now), 'nothing'),
    section('Needs you', inbox, 'nothing'),
    section('Queue', queue, 'empty'),
  ]
}

function runLines({ runs, elsewhere }: WatchState, look: Look, now: number): string[] {
  const others = elsewhere.map(({ number, title, who, since }) => {
    const seconds = (now - Date.parse(since)) / 1000
    return { number, agent: who, phase: 'elsewhere', seconds, tokens: 0, usd: 0, action: title }
  })
  return [...renderRunRows([...runs.map((run) => runRow(run, now)), ...others], look)]
}

function inboxLine(item: InboxItem, look: Look): string {
  const { code, detail } = item
  const about = detail === '' ? '' : `: ${printable(detail)}`
  const line = fitted(`${code} ${subjectOf(item)}${about}`, look)
  return look.ink.red(line.slice(0, code.length)) + line.slice(code.length)
}

function queueLine(task: OpenTask, look: Look): string {
  const type = task.type === 'task' ? '' : `[${task.type}] `
  const line = `#${task.number} ${type}${printable(task.title)}`
  if (task.blocked_by.length === 0) return fitted(line, look)
  return look.ink.dim(fitted(`${line} (${blockedBy(task, look)})`, look))
}

function fitted(text: string, look: Look): string {
  return look.width === null ? text : cutTo(text, look.width)
}

/** Each section gets what it needs; where that is too much, they share line by line. */
function fitSections(sections: readonly Section[], room: number, look: Look): string[] {
  const needs = sections.map(({ lines }) => lines.length)
  const given = share(needs, room - 2 * sections.length)
  return sections.flatMap(({ title, lines }, at) => [
    '',
    title,
    ...cutList(lines, given[at] ?? 0, look).map((line) => `  ${line}`),
  ])
}

function share(needs: readonly number[], room: number): number[] {
  const given = needs.map(() => 0)
  for (let left = room; left > 0; ) {
    const open = needs.map((_, at) => at).filter((at) => (given[at] ?? 0) < (needs[at] ?? 0))
    if (open.length === 0) break
    for (const at of open.slice(0, left)) given[at] = (given[at] ?? 0) + 1
    left -= Math.min(open.length, left)
  }
  return given
}

function cutList(lines: readonly string[], room: number, look: Look): string[] {
  if (lines.length <= room) return [...lines]
  if (room < 1) return []
  const shown = lines.slice(0, room - 1)
  return [...shown, look.ink.dim(fitted(`… ${lines.length - shown.length} more`, look))]
}
