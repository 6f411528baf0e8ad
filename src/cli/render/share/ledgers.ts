import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { SyncReport } from '../../../exchange/remote/sync-ledger.ts'
import type { Display } from '../../terminal/display.ts'
import { shortCommit } from '../look/show.ts'

/** What the commands about whole ledgers print: log and sync. */

export interface HistoryEntry {
  commit: string
  at: string
  actor: string
  mode: string
  subject: string
}

export function* renderHistory(entries: Iterable<HistoryEntry>, display: Display): Iterable<string> {
  for (const { commit, at, actor, mode, subject } of entries) {
    const who = `${printable(actor)}${mode === 'agent' ? ' (agent)' : ''}`
    yield `${display.style.yellow(shortCommit(commit))} ${display.style.dim(at)} ${who}: ${printable(subject)}`
  }
}

export function* renderSynced({ remote, ledgers }: SyncReport): Iterable<string> {
  for (const { ledger, result, tasks } of ledgers) {
    yield `${printable(ledger)}: ${SYNC_WORDS[result]} ${printable(remote)} (${plural(tasks, 'task')})`
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
