import { isUnstarted } from '../../../core/task/status-predicates.ts'
import type { DerivedStatus } from '../../../core/task/task.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { GroupStatus } from '../../../workspace/views/groups/group-status.ts'
import type { StatusTask } from '../../../workspace/views/views.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { keyedTitle, personWords } from '../task-text.ts'

/** One group: its name, and a row for each task. */
export function* renderGroupStatus({ group, tasks }: GroupStatus, display: Display): Iterable<string> {
  yield display.style.bold(heading(group))
  const rows = tasks.map((task) => ({ task, name: `${task.number}. ${keyedTitle(task)}` }))
  yield* renderRows(rows, leastWidth(display), display)
}

/** Everything: each group under its name, or only the rows if no task has a group. */
export function* renderStatus(groups: readonly GroupStatus[], display: Display): Iterable<string> {
  const shown = groups.filter(({ tasks }) => tasks.length > 0)
  const isGrouped = shown.some(({ group }) => group !== null)
  const rows = renderTypedRows(
    shown.map(({ tasks }) => tasks),
    display,
  )
  for (const [at, { group }] of shown.entries()) {
    if (isGrouped && at > 0) yield ''
    if (isGrouped) yield display.style.bold(heading(group))
    yield* rows[at] ?? []
  }
}

/** The rows of several groups, in the same columns. */
export function renderTypedRows(groups: readonly (readonly StatusTask[])[], display: Display): Iterable<string>[] {
  const width = columnFor(groups.flat().map(typedRow), 0, display)
  return groups.map((tasks) => renderRows(tasks.map(typedRow), width, display))
}

/** The width of a row's number and title: `3. ` and at least 36 columns. */
const NARROWEST = 39
const GAP = 4
/** Columns for the glyph on the left and a state of usual length on the right. */
const OTHERS = 4 + 24

/** A narrow terminal has no room for that. */
function leastWidth({ width }: Display): number {
  return width === null ? NARROWEST : Math.max(0, Math.min(NARROWEST, width - OTHERS))
}

interface Row {
  task: StatusTask
  name: string
}

export function heading(group: string | null): string {
  return group === null ? '(ungrouped)' : `Group: ${printable(group)}`
}

function typedRow(task: StatusTask): Row {
  const type = task.type === 'task' ? '' : `${task.type} `
  return { task, name: `${task.number}. ${type}${keyedTitle(task)}` }
}

function* renderRows(rows: readonly Row[], least: number, display: Display): Iterable<string> {
  const width = columnFor(rows, least, display)
  for (const { task, name } of rows) {
    yield `  ${glyph(task.status, display)} ${padTo(fitName(name, display), width)}${fitTo(state(task), width + 4, display)}`
  }
}

function columnFor(rows: readonly Row[], least: number, display: Display): number {
  return rows.reduce((widest, { name }) => Math.max(widest, widthOf(fitName(name, display)) + GAP), least)
}

function fitName(name: string, display: Display): string {
  return fitTo(name, OTHERS + GAP, display)
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
