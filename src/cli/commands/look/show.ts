import { showTask } from '../../../workspace/views/show-task.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderShow } from '../../render/look/show.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function show(this: Face, flags: GlobalFlags, ref: string): Promise<void> {
  const task = await inWorkspace(this, flags, (ws) => showTask(ws, ref))
  printResult(this, flags, task, renderShow(task, this.display))
}
