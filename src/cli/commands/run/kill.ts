import { killRun } from '../../../runs/watch/manage-runs.ts'
import { inWorkspace } from '../../in-workspace.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function kill(this: Face, flags: GlobalFlags, ref: string): Promise<void> {
  const run = await inWorkspace(this, flags, (ws) => killRun(ws, ref))
  printResult(this, flags, run, [`Ending run ${run.run} of task #${run.number}; its work is kept`])
}
