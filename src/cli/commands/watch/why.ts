import { whyTask } from '../../../scheduler/choose/why-not-running.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderWhy } from '../../render/watch/inbox.ts'
import { printResult } from '../../terminal/print.ts'

export default async function why(this: CallContext, flags: GlobalFlags, ref: string): Promise<void> {
  const reason = await inWorkspace(this, flags, (ws) => whyTask(ws, ref))
  printResult(this, flags, reason, renderWhy(reason, this.display))
}
