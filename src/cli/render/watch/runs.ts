import { printable } from '../../../core/text/printable.ts'
import type { InboxItem } from '../../../reports/read-inbox.ts'
import type { Claimed } from '../../../runs/claims/claim-task.ts'
import type { LiveRun } from '../../../runs/watch/manage-runs.ts'
import type { Why } from '../../../scheduler/choose/why-not-running.ts'
import type { Display } from '../../terminal/display.ts'
import { label } from '../task-text.ts'
import { type RunRow, renderRunRows } from './run-rows.ts'

export function* renderClaimed(claimed: Claimed | null, display: Display): Iterable<string> {
  if (claimed === null) {
    yield 'Nothing is ready.'
    return
  }
  yield `${display.style.yellow(label(claimed.task, display))}: ${printable(claimed.task.title)}`
  yield `run: ${claimed.run}`
  yield `until: ${claimed.expires_at}`
}

export function* renderInbox(items: readonly InboxItem[], display: Display): Iterable<string> {
  for (const item of items) {
    const { code, detail, commands } = item
    yield `${display.style.red(code)}  ${subjectOf(item)}`
    if (detail !== '') for (const line of detail.split('\n')) yield `  ${printable(line)}`
    for (const command of commands) yield display.style.dim(`  ${command}`)
  }
}

/** What needs a person: mostly a task. */
export function subjectOf({ task, subject = '' }: InboxItem): string {
  return printable(task === null ? subject : `#${task.number} ${task.title}`)
}

export function* renderWhy({ number, code, line }: Why, display: Display): Iterable<string> {
  yield `#${number} ${display.style.yellow(code)}: ${printable(line)}`
}

export function renderRuns(runs: readonly LiveRun[], display: Display, now: number): Iterable<string> {
  return renderRunRows(
    runs.map((run) => runRow(run, now)),
    display,
  )
}

export function runRow(run: LiveRun, now: number): RunRow {
  const { number, agent, phase } = run
  return {
    number,
    agent,
    phase,
    seconds: (now - Date.parse(run.started_at)) / 1000,
    tokens: run.tokens_in + run.tokens_out,
    usd: run.cost_usd,
    action: run.last_action ?? '',
  }
}
