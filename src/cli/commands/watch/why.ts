import { whyTask } from '../../../scheduler/choose/why-not-running.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderWhy } from '../../render/watch/runs.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function why(this: Face, flags: GlobalFlags, ref: string): Promise<void> {
  const reason = await inWorkspace(this, flags, (ws) => whyTask(ws, ref))
  printResult(this, flags, reason, renderWhy(reason, this.display))
}
