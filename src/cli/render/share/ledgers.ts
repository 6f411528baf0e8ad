import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { SyncReport } from '../../../exchange/remote/sync-ledger.ts'
import type { Display } from '../../terminal/display.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'
import { shortCommit } from '../look/show.ts'

/** What the commands about whole ledgers print: log and sync. */

export interface HistoryEntry {
  commit: string
  at: string
  by: string
  mode: string
  subject: string
}

export function* renderHistory(entries: Iterable<HistoryEntry>, display: Display): Iterable<string> {
  for (const { commit, at, by, mode, subject } of entries) {
    const who = `${printable(by)}${mode === 'agent' ? ' (agent)' : ''}`
    const line = `${display.style.yellow(shortCommit(commit))} ${display.style.dim(at)} ${who}: ${printable(subject)}`
    yield* hangingLines(line, 2, display)
  }
}

export function* renderSynced({ remote, ledgers }: SyncReport): Iterable<string> {
  for (const { ledger, result, task_count } of ledgers) {
    yield `${printable(ledger)}: ${SYNC_WORDS[result]} ${printable(remote)} (${plural(task_count, 'task')})`
  }
  if (ledgers.length === 0) yield `No ledgers here or on ${printable(remote)}`
}

const SYNC_WORDS = {
  pushed: 'pushed to',
  pulled: 'pulled from',
  joined: 'joined with',
  current: 'the same as on',
  blocked: 'not exchanged with',
  refused: 'refused, not exchanged with',
  rejected: 'rejected by',
  archived: 'archived on',
} as const
