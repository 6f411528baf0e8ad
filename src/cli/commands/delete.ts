import { deleteTask } from '../../app/delete-task.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderDeleted } from '../render/changes.ts'

export default async function remove(this: Face, flags: GlobalFlags, ...refs: string[]): Promise<void> {
  const tasks = await inWorkspace(this, flags, (ws) => deleteTask(ws, refs))
  printResult(this, flags, tasks, renderDeleted(tasks, this.look))
}
