import { verifyLedger } from '../../app/verify-ledger.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderVerified } from '../render/ledgers.ts'

export default async function verify(this: Face, flags: GlobalFlags & { 'all-branches': boolean }): Promise<void> {
  const allBranches = flags['all-branches']
  const reports = await inWorkspace(this, flags, (ws) => verifyLedger(ws, { allBranches }), {
    spansLedgers: allBranches,
  })
  printResult(this, flags, reports, renderVerified(reports, this.look))
  if (reports.some(({ ok }) => !ok)) this.exitCode = 1
}
