import { closeTask } from '../../app/close-task.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderDone } from '../render/changes.ts'

export default async function done(
  this: Face,
  flags: GlobalFlags & { note?: string },
  ...refs: string[]
): Promise<void> {
  const tasks = await inWorkspace(this, flags, (ws) => closeTask(ws, refs, { note: flags.note }))
  printResult(this, flags, tasks, renderDone(tasks, this.look))
}
