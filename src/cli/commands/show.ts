import { showTask } from '../../app/show-task.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderShow } from '../render/show.ts'

export default async function show(this: Face, flags: GlobalFlags, ref: string): Promise<void> {
  const task = await inWorkspace(this, flags, (ws) => showTask(ws, ref))
  printResult(this, flags, task, renderShow(task, this.look))
}
