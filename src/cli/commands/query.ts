import { queryState } from '../../app/query-state.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderTable } from '../render/table.ts'

export default async function query(
  this: Face,
  flags: GlobalFlags & { 'all-branches': boolean },
  sql: string,
): Promise<void> {
  const allBranches = flags['all-branches']
  const rows = await inWorkspace(this, flags, (ws) => queryState(ws, sql, { allBranches }), {
    spansLedgers: allBranches,
  })
  printResult(this, flags, rows, renderTable(rows, this.look))
}
