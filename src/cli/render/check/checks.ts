import { sentenceText } from '../../../core/sentence.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { PruneReport } from '../../../exchange/remote/prune/prune-ledgers.ts'
import type { VerifyReport } from '../../../exchange/remote/verify-ledger.ts'
import type { Finding } from '../../../reports/doctor/finding.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { shortCommit } from '../look/show.ts'

/** What doctor, verify and prune print. */

export function* renderFindings(findings: readonly Finding[], display: Display): Iterable<string> {
  const colour = { ok: display.style.green, warn: display.style.yellow, fail: display.style.red }
  const width = findings.reduce((most, { name }) => Math.max(most, name.length), 0)
  for (const { name, state, detail, next } of findings) {
    yield `${colour[state](state.padEnd(4))}  ${printable(name).padEnd(width)}  ${printable(detail)}`.trimEnd()
    if (next !== null) yield `${' '.repeat(6 + width)}  ${printable(sentenceText(next, programOf(display.name)))}`
  }
}

export function* renderVerified(reports: readonly VerifyReport[], display: Display): Iterable<string> {
  for (const report of reports) {
    const { ok, firstBad, accepted } = report
    const fine = accepted === 0 ? 'ok' : `OK, ${accepted} accepted`
    const verdict = ok ? display.style.green(fine) : display.style.red('NOT OK')
    yield `${printable(report.ledger)}: ${verdict} (${plural(report.commits, 'commit')}, ${plural(report.tasks, 'task')})`
    if (firstBad) yield `  first bad commit: ${badCommit(firstBad)}`
    for (const each of report.refused) yield `  refused from ${printable(each.remote)}: ${badCommit(each.firstBad)}`
    for (const { commit, why } of report.problems) {
      if (commit !== firstBad?.commit || why !== firstBad.why) yield `  ${shortCommit(commit)} ${printable(why)}`
    }
    for (const { name, state, detail } of report.witnesses) {
      yield `  witness ${printable(name)}: ${witnessWord(state, display)}${detail ? `, ${printable(detail)}` : ''}`
    }
    for (const { id, number, commit, state } of report.links) {
      const where = state === 'missing' ? 'not in this clone' : 'on no branch here'
      yield `  link of #${number} (${id}): commit ${printable(shortCommit(commit))} is ${where}`
    }
  }
}

function badCommit({ commit, author, why }: { commit: string; author?: string; why: string }): string {
  return `${shortCommit(commit)} ${author === undefined ? '' : `by ${printable(author)}: `}${printable(why)}`
}

function witnessWord(state: VerifyReport['witnesses'][number]['state'], { style }: Display): string {
  if (state === 'differs') return style.red(state)
  return state === 'warns' ? style.yellow(state) : state
}

export function* renderPruned(report: PruneReport, options: { dryRun: boolean }): Iterable<string> {
  const { archived, kept, archived_on_remote, restored, joined } = report
  if (restored !== null) {
    yield `${printable(restored)}: restored${joined ? ', joined with its new tasks' : ''}`
    return
  }
  for (const { ledger, ref, open, moved_to } of archived) {
    const verb = options.dryRun ? 'would be archived as' : 'archived as'
    const where = moved_to === null ? '' : `, moved to ${printable(moved_to)} on hold`
    yield `${printable(ledger)}: ${verb} ${printable(ref)} (${plural(open, 'open task')}${where})`
  }
  for (const { ledger, open } of kept) yield `${printable(ledger)}: kept (${plural(open, 'open task')})`
  for (const ledger of archived_on_remote) yield `${printable(ledger)}: archived on the remote`
  const isEmpty = [archived, kept, archived_on_remote].every(({ length }) => length === 0)
  if (isEmpty) yield 'Nothing to archive: every ledger has its branch'
}
