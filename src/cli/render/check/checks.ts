import { sentenceText } from '../../../core/sentence.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { PruneReport } from '../../../exchange/remote/prune/prune-ledgers.ts'
import type { VerifyReport } from '../../../exchange/remote/verify-ledger.ts'
import type { Finding } from '../../../reports/doctor/finding.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'
import { shortCommit } from '../look/show.ts'

/** What doctor, verify and prune print. */

export function* renderFindings(findings: readonly Finding[], display: Display): Iterable<string> {
  const colour = { ok: display.style.green, warn: display.style.yellow, fail: display.style.red }
  const width = findings.reduce((most, { name }) => Math.max(most, name.length), 0)
  for (const { name, state, detail, next } of findings) {
    const row = `${colour[state](state.padEnd(4))}  ${printable(name).padEnd(width)}  ${printable(detail)}`.trimEnd()
    yield* hangingLines(row, width + 8, display)
    const step = next === null ? '' : printable(sentenceText(next, programOf(display.name)))
    if (step !== '') yield* hangingLines(`${' '.repeat(width + 8)}${step}`, width + 8, display)
  }
}

export function* renderVerified(reports: readonly VerifyReport[], display: Display): Iterable<string> {
  for (const report of reports) {
    const { ok, first_bad, accepted_count } = report
    const fine = accepted_count === 0 ? 'ok' : `OK, ${accepted_count} accepted`
    const verdict = ok ? display.style.green(fine) : display.style.red('NOT OK')
    yield `${printable(report.ledger)}: ${verdict} (${plural(report.commit_count, 'commit')}, ${plural(report.task_count, 'task')})`
    if (first_bad) yield `  first bad commit: ${badCommit(first_bad)}`
    for (const each of report.refused) yield `  refused from ${printable(each.remote)}: ${badCommit(each.first_bad)}`
    for (const { commit, detail } of report.problems) {
      if (commit !== first_bad?.commit || detail !== first_bad.detail)
        yield `  ${shortCommit(commit)} ${printable(detail)}`
    }
    for (const { name, state, detail } of report.witnesses) {
      const word = witnessWord(state, display)
      yield* hangingLines(`  witness ${printable(name)}: ${word}${detail ? `, ${printable(detail)}` : ''}`, 4, display)
    }
    for (const { id, number, commit, state } of report.links) {
      const where = state === 'missing' ? 'not in this clone' : 'on no branch here'
      yield `  link of #${number} (${id}): commit ${printable(shortCommit(commit))} is ${where}`
    }
  }
}

function badCommit({ commit, author, detail }: { commit: string; author: string | null; detail: string }): string {
  return `${shortCommit(commit)} ${author === null ? '' : `by ${printable(author)}: `}${printable(detail)}`
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
  for (const { ledger, ref, open_count, moved_to } of archived) {
    const verb = options.dryRun ? 'would be archived as' : 'archived as'
    const where = moved_to === null ? '' : `, moved to ${printable(moved_to)} on hold`
    yield `${printable(ledger)}: ${verb} ${printable(ref)} (${plural(open_count, 'open task')}${where})`
  }
  for (const { ledger, open_count } of kept) yield `${printable(ledger)}: kept (${plural(open_count, 'open task')})`
  for (const ledger of archived_on_remote) yield `${printable(ledger)}: archived on the remote`
  const isEmpty = [archived, kept, archived_on_remote].every(({ length }) => length === 0)
  if (isEmpty) yield 'Nothing to archive: every ledger has its branch'
}
