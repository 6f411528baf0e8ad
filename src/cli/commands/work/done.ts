import { closeTask } from '../../../tasks/close-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderDone } from '../../render/plan/changes.ts'
import { printResult } from '../../terminal/print.ts'

export default async function done(
  this: CallContext,
  flags: GlobalFlags & { note?: string },
  ...refs: string[]
): Promise<void> {
  const tasks = await inWorkspace(this, flags, (ws) => closeTask(ws, refs, { note: flags.note }))
  printResult(this, flags, tasks, renderDone(tasks, this.display))
}
