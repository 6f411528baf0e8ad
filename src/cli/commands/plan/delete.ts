import { deleteTask } from '../../../tasks/delete-task.ts'
import { agreeToNumbers } from '../../agree-to-numbers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderDeleted } from '../../render/plan/changes.ts'
import { printResult } from '../../terminal/print.ts'

export default async function remove(this: CallContext, flags: GlobalFlags, ...refs: string[]): Promise<void> {
  await agreeToNumbers(this, flags, refs)
  const tasks = await inWorkspace(this, flags, (ws) => deleteTask(ws, refs))
  printResult(this, flags, tasks, renderDeleted(tasks, this.display))
}
