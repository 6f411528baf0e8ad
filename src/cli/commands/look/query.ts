import { queryState } from '../../../workspace/ledger/query-state.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderTable } from '../../render/look/table.ts'
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
  printResult(this, flags, rows, renderTable(rows, this.display))
}
