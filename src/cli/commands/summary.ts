import { readSummary } from '../../app/engine/summary.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderSummary } from '../render/summary.ts'

export default async function summary(this: Face, flags: GlobalFlags): Promise<void> {
  const read = await inWorkspace(this, flags, readSummary)
  printResult(this, flags, read, renderSummary(read, this.look))
}
