import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { PruneReport } from '../../../exchange/remote/prune-ledgers.ts'
import type { SyncReport } from '../../../exchange/remote/sync-ledger.ts'
import type { VerifyReport } from '../../../exchange/remote/verify-ledger.ts'
import type { Display } from '../../terminal/display.ts'
import { shortCommit } from '../look/show.ts'

/** What the commands about whole ledgers answer: log, verify, sync, prune, undo, import. */

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

export function* renderVerified(reports: readonly VerifyReport[], display: Display): Iterable<string> {
  for (const report of reports) {
    const { ok, firstBad } = report
    const verdict = ok ? display.style.green('ok') : display.style.red('NOT OK')
    yield `${printable(report.ledger)}: ${verdict} (${plural(report.commits, 'commit')}, ${plural(report.tasks, 'task')})`
    if (firstBad) yield `  first bad commit: ${shortCommit(firstBad.commit)} ${printable(firstBad.why)}`
    for (const { commit, why } of report.problems) {
      if (commit !== firstBad?.commit || why !== firstBad.why) yield `  ${shortCommit(commit)} ${printable(why)}`
    }
    for (const { name, state, detail } of report.witnesses) {
      yield `  witness ${printable(name)}: ${witnessWord(state, display)}${detail ? `, ${printable(detail)}` : ''}`
    }
  }
}

function witnessWord(state: VerifyReport['witnesses'][number]['state'], { style }: Display): string {
  if (state === 'differs') return style.red(state)
  return state === 'warns' ? style.yellow(state) : state
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
} as const

export function* renderPruned({ archived, restored }: PruneReport, options: { dryRun: boolean }): Iterable<string> {
  if (restored !== null) {
    yield `${printable(restored)}: restored`
    return
  }
  for (const { ledger, ref, open } of archived) {
    const verb = options.dryRun ? 'would be archived as' : 'archived as'
    yield `${printable(ledger)}: ${verb} ${printable(ref)} (${plural(open, 'open task')})`
  }
  if (archived.length === 0) yield 'Nothing to archive: every ledger has its branch'
}

export function renderUndone({ undone, commit }: { undone: string; commit: string }): string[] {
  return [`Undone: ${printable(undone)} (${shortCommit(commit)})`]
}
