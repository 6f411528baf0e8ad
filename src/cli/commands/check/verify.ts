import { command, sentence } from '../../../core/sentence.ts'
import { verifyLedger } from '../../../exchange/remote/verify-ledger.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderVerified } from '../../render/check/checks.ts'
import { printResult } from '../../terminal/print.ts'

const MISSING = sentence`A witness remembers changes that are missing here: ${command`restore --lost`} joins those back that are legal`

export default async function verify(
  this: CallContext,
  flags: GlobalFlags & { 'all-branches': boolean; accept?: string },
): Promise<void> {
  const allBranches = flags['all-branches']
  const reports = await inWorkspace(this, flags, (ws) => verifyLedger(ws, { allBranches, accept: flags.accept }), {
    spansLedgers: allBranches,
    // A ledger that was deleted is what it must find.
    unknownName: 'use',
  })
  printResult(this, flags, reports, renderVerified(reports, this.display))
  if (reports.some(({ ok }) => !ok)) this.exitCode = 1
  if (reports.some(({ witnesses }) => witnesses.some(({ state }) => state === 'differs'))) this.warnings.push(MISSING)
}
