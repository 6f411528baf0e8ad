import { deleteTask } from '../../../tasks/delete-task.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderDeleted } from '../../render/plan/changes.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function remove(this: Face, flags: GlobalFlags, ...refs: string[]): Promise<void> {
  const tasks = await inWorkspace(this, flags, (ws) => deleteTask(ws, refs))
  printResult(this, flags, tasks, renderDeleted(tasks, this.display))
}
