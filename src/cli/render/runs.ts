import type { Claimed } from '../../app/engine/claim.ts'
import type { InboxItem } from '../../app/engine/inbox.ts'
import type { listRuns } from '../../app/engine/manage-runs.ts'
import type { Why } from '../../app/engine/why.ts'
import { printable } from '../../core/printable.ts'
import type { Look } from '../face.ts'
import { label } from './task-words.ts'

export function* renderClaimed(claimed: Claimed | null, look: Look): Iterable<string> {
  if (claimed === null) {
    yield 'Nothing is ready.'
    return
  }
  yield `${look.ink.yellow(label(claimed.task, look))}: ${printable(claimed.task.title)}`
  yield `run: ${claimed.run}`
  yield `until: ${claimed.expires_at}`
}

export function* renderInbox(items: readonly InboxItem[], look: Look): Iterable<string> {
  for (const { task, code, detail, commands } of items) {
    yield `${look.ink.red(code)}  #${task.number} ${printable(task.title)}`
    if (detail !== '') yield `  ${printable(detail)}`
    for (const command of commands) yield look.ink.dim(`  ${command}`)
  }
}

export function* renderWhy({ number, code, line }: Why, look: Look): Iterable<string> {
  yield `#${number} ${look.ink.yellow(code)}: ${printable(line)}`
}

export function* renderRuns(runs: ReturnType<typeof listRuns>, look: Look, now: number): Iterable<string> {
  for (const run of runs) {
    const seconds = Math.max(0, Math.round((now - Date.parse(run.started_at)) / 1000))
    const cost = run.cost_usd > 0 ? `  $${run.cost_usd.toFixed(2)}` : ''
    const tokens = run.tokens_in + run.tokens_out > 0 ? `  ${run.tokens_in + run.tokens_out} tokens` : ''
    yield `#${run.number}  ${run.agent}  ${run.phase}  ${elapsed(seconds)}${tokens}${cost}  ${look.ink.dim(printable(run.last_action ?? ''))}`
  }
}

function elapsed(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`
}
