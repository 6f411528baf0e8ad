import { listAllRuns } from '../../../runs/watch/list-and-kill.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderRuns } from '../../render/watch/run-rows.ts'
import { printResult } from '../../terminal/print.ts'

export default async function ps(this: CallContext, flags: GlobalFlags): Promise<void> {
  const runs = await inWorkspace(this, flags, listAllRuns)
  printResult(this, flags, runs, renderRuns(runs, this.display, this.clock()))
  if (runs.length === 0 && !flags.json) this.err.write('Nothing is running.\n')
}
