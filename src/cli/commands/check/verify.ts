import { verifyLedger } from '../../../exchange/remote/verify-ledger.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderVerified } from '../../render/share/ledgers.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function verify(this: Face, flags: GlobalFlags & { 'all-branches': boolean }): Promise<void> {
  const allBranches = flags['all-branches']
  const reports = await inWorkspace(this, flags, (ws) => verifyLedger(ws, { allBranches }), {
    spansLedgers: allBranches,
  })
  printResult(this, flags, reports, renderVerified(reports, this.display))
  if (reports.some(({ ok }) => !ok)) this.exitCode = 1
}
