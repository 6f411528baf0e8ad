import { killRun } from '../../../runs/watch/list-and-kill.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printResult } from '../../terminal/print.ts'

export default async function kill(this: CallContext, flags: GlobalFlags, ref: string): Promise<void> {
  const run = await inWorkspace(this, flags, (ws) => killRun(ws, ref))
  const line = run.detail ?? `Ending run ${run.run} of task #${run.number}; its work is kept`
  printResult(this, flags, run, [line])
}
