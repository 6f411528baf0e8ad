import { printable } from '../../../core/text/printable.ts'
import { type DeletedTask, deletedTasks, restoreTasks } from '../../../tasks/restore-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderRestored } from '../../render/plan/changes.ts'
import { label, titleLine } from '../../render/task-text.ts'
import type { Display } from '../../terminal/display.ts'
import { printResult } from '../../terminal/print.ts'

export default async function restore(this: CallContext, flags: GlobalFlags, ...refs: string[]): Promise<void> {
  if (refs.length === 0) return listDeleted(this, flags)
  const tasks = await inWorkspace(this, flags, (ws) => restoreTasks(ws, refs))
  printResult(this, flags, tasks, renderRestored(tasks, this.display))
}

async function listDeleted(context: CallContext, flags: GlobalFlags): Promise<void> {
  const tasks = await inWorkspace(context, flags, (ws) => deletedTasks(ws))
  printResult(
    context,
    flags,
    tasks,
    tasks.map((task) => deletedLine(task, context.display)),
  )
  if (tasks.length === 0 && !flags.json) context.err.write('No deleted tasks.\n')
}

function deletedLine(task: DeletedTask, display: Display): string {
  const suffix = `(deleted ${task.deleted_at ?? ''} by ${printable(task.deleted_by ?? 'unknown')})`
  return titleLine(task, { prefix: label(task, display), suffix }, display)
}
