import { readSummary } from '../../app/engine/summary.ts'
import { readWorkflow } from '../../app/engine/workflow-state.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderSummary } from '../render/summary.ts'

export default async function summary(this: Face, flags: GlobalFlags): Promise<void> {
  // The whole state is for programs alone: a ledger's every task, to say how many there are.
  const read = await inWorkspace(this, flags, flags.json ? readWorkflow : readSummary)
  printResult(this, flags, read, renderSummary(read, this.look))
}
