import { printable } from '../../../core/text/printable.ts'
import { queryState } from '../../../workspace/ledger/query-state.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderAligned } from '../../render/columns.ts'
import { printResult } from '../../terminal/print.ts'

export default async function query(
  this: CallContext,
  flags: GlobalFlags & { 'all-branches': boolean },
  sql: string,
): Promise<void> {
  const allBranches = flags['all-branches']
  const rows = await inWorkspace(this, flags, (ws) => queryState(ws, sql, { allBranches }), {
    spansLedgers: allBranches,
  })
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => names.map((name) => cell(row[name])))
  printResult(
    this,
    flags,
    rows,
    renderAligned(
      names.map((name) => printable(name)),
      cells,
      this.display,
    ),
  )
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
