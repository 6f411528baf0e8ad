import { readSummary } from '../../../reports/read-summary.ts'
import { readWorkflow } from '../../../reports/workflow-state.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSummary } from '../../render/watch/summary.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function summary(this: Face, flags: GlobalFlags): Promise<void> {
  // The whole state is for programs alone: a ledger's every task, to say how many there are.
  const read = await inWorkspace(this, flags, flags.json ? readWorkflow : readSummary)
  printResult(this, flags, read, renderSummary(read, this.display))
}
