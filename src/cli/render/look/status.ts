import { isUnstarted } from '../../../core/task/status-predicates.ts'
import type { DerivedStatus } from '../../../core/task/task.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { GroupStatus } from '../../../workspace/views/group-status.ts'
import type { StatusTask } from '../../../workspace/views/views.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { keyedTitle, personWords } from '../task-text.ts'

/** One group: its name, and a row for each task. */
export function* renderGroupStatus({ group, tasks }: GroupStatus, display: Display): Iterable<string> {
  yield display.style.bold(heading(group))
  const rows = tasks.map((task) => ({ task, name: `${task.number}. ${keyedTitle(task)}` }))
  yield* renderRows(rows, NARROWEST, display)
}

/** Everything: each group under its name, or only the rows if no task has a group. */
export function* renderStatus(groups: readonly GroupStatus[], display: Display): Iterable<string> {
  const shown = groups.filter(({ tasks }) => tasks.length > 0)
  const isGrouped = shown.some(({ group }) => group !== null)
  const width = columnFor(
    shown.flatMap(({ tasks }) => tasks.map(typedRow)),
    0,
    display,
  )
  for (const [at, { group, tasks }] of shown.entries()) {
    if (isGrouped && at > 0) yield ''
    if (isGrouped) yield display.style.bold(heading(group))
    yield* renderRows(tasks.map(typedRow), width, display)
  }
}

/** The width of a row's number and title: `3. ` and at least 36 columns. */
const NARROWEST = 39
const GAP = 4

interface Row {
  task: StatusTask
  name: string
}

function heading(group: string | null): string {
  return group === null ? '(ungrouped)' : `Group: ${printable(group)}`
}

function typedRow(task: StatusTask): Row {
  const type = task.type === 'task' ? '' : `${task.type} `
  return { task, name: `${task.number}. ${type}${keyedTitle(task)}` }
}

function* renderRows(rows: readonly Row[], least: number, display: Display): Iterable<string> {
  const width = columnFor(rows, least, display)
  for (const { task, name } of rows) {
    yield `  ${glyph(task.status, display)} ${padTo(fitName(name, display), width)}${state(task)}`
  }
}

function columnFor(rows: readonly Row[], least: number, display: Display): number {
  return rows.reduce((widest, { name }) => Math.max(widest, widthOf(fitName(name, display)) + GAP), least)
}

/** Leaves room for the glyph on the left and for a state of usual length on the right. */
function fitName(name: string, display: Display): string {
  return fitTo(name, 4 + GAP + 24, display)
}

export function glyph(status: DerivedStatus, { style }: Display): string {
  switch (status) {
    case 'completed':
      return style.green('✓')
    case 'in_progress':
      return style.yellow('→')
    case 'failed':
      return style.red('✗')
    case 'skipped':
      return '-'
    case 'pending':
    case 'blocked':
      return '○'
  }
}

function state(task: StatusTask): string {
  if (isUnstarted(task)) return `pending${inBrackets([...blockers(task), ...personWords(task)])}`
  if (task.status === 'in_progress') return `in_progress${inBrackets([...cycle(task), ...machine(task)])}`
  const detail = verdict(task) ?? (task.status === 'completed' ? monthAndDay(task.closed_at) : null)
  return detail === null ? `${task.status}${inBrackets(personWords(task))}` : `${task.status}  ${detail}`
}

function blockers(task: StatusTask): string[] {
  if (task.blocked_by.length === 0) return []
  return [`blocked by ${task.blocked_by.map(({ number }) => `#${number}`).join(', ')}`]
}

function cycle(task: StatusTask): string[] {
  if (task.review_cycle === 0) return []
  return [`cycle ${task.review_cycle}${task.max_review_cycles === null ? '' : `/${task.max_review_cycles}`}`]
}

function machine(task: StatusTask): string[] {
  return task.running_on === null ? [] : [printable(task.running_on)]
}

function inBrackets(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function verdict(task: StatusTask): string | null {
  if (task.final_verdict === null) return null
  return printable(task.final_verdict) + inBrackets(task.review_cycle === 0 ? [] : [plural(task.review_cycle, 'cycle')])
}

/** In the reader's time zone. */
function monthAndDay(at: string | null): string | null {
  const date = new Date(at ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return null
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(date.getMonth() + 1)}/${two(date.getDate())}`
}
