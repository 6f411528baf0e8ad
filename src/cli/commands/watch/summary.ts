import { readSummary } from '../../../reports/read-summary.ts'
import { readWorkflow } from '../../../reports/workflow-state.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSummary } from '../../render/watch/summary.ts'
import { printResult } from '../../terminal/print.ts'

export default async function summary(this: CallContext, flags: GlobalFlags): Promise<void> {
  // Only programs need the whole state: it has every task of the ledger.
  const read = await inWorkspace(this, flags, flags.json ? readWorkflow : readSummary)
  printResult(this, flags, read, renderSummary(read, this.display))
}
