import { showTask } from '../../../workspace/views/show-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderShow } from '../../render/look/show.ts'
import { printResult } from '../../terminal/print.ts'

export default async function show(this: CallContext, flags: GlobalFlags, ref: string): Promise<void> {
  const task = await inWorkspace(this, flags, (ws) => showTask(ws, ref))
  printResult(this, flags, task, renderShow(task, this.display))
}
