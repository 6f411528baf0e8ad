import { readSummary } from '../../../reports/read-summary.ts'
import { readWorkflow } from '../../../reports/workflow-state.ts'
import type { CallContext } from '../../call-context.ts'
import { readFields } from '../../flags/field-names.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { pickFields } from '../../print-fields.ts'
import { cellText, renderColumns } from '../../render/columns.ts'
import { renderSummary } from '../../render/watch/summary.ts'
import { linesAtMost, reportShown } from '../../terminal/cut-rows.ts'
import { printResult } from '../../terminal/print.ts'

export default async function summary(this: CallContext, flags: OutputFlags): Promise<void> {
  const { limit, json } = flags
  if (flags.fields !== undefined) return printChosen(this, flags, readFields('summary', flags.fields))
  if (json) return printResult(this, flags, withLists(await inWorkspace(this, flags, readWorkflow), limit), [])
  const read = await inWorkspace(this, flags, readSummary)
  const most = linesAtMost(this, read.total)
  printResult(this, flags, read, renderSummary(read, this.display, { limit, lines: most }))
  const { completed, in_progress, pending, failed, unverified, milestones } = read
  const longest = Math.max(
    ...[completed, in_progress, pending, failed, unverified, milestones].map(({ length }) => length),
  )
  reportShown(this, flags, { shown: Math.min(longest, most ?? longest), total: longest })
}

async function printChosen(context: CallContext, flags: OutputFlags, names: readonly string[]): Promise<void> {
  // Only programs need the whole state: it has every task of the ledger.
  const read = await inWorkspace(context, flags, names.includes('state') ? readWorkflow : readSummary)
  const chosen = pickFields(withLists(read, flags.limit), names)
  const rows = Object.entries(chosen).map(([name, value]) => [name, cellText(value)])
  printResult(context, flags, chosen, renderColumns(['field', 'value'], rows, context.display))
}

/** Every list in it has at most `limit` elements. */
function withLists<T extends object>(value: T, limit: number | undefined): T {
  if (limit === undefined) return value
  const cut = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.slice(0, limit)
    return typeof member === 'object' && member !== null ? withLists(member, limit) : member
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)])) as T
}
