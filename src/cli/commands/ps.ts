import { listRuns } from '../../app/engine/manage-runs.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderRuns } from '../render/runs.ts'

export default async function ps(this: Face, flags: GlobalFlags): Promise<void> {
  const runs = await inWorkspace(this, flags, listRuns)
  printResult(this, flags, runs, renderRuns(runs, this.look, Date.now()))
  if (runs.length === 0 && !flags.json) this.err.write('Nothing is running.\n')
}
