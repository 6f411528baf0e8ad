import { UserError } from '../../../core/user-error.ts'
import { deleteTask } from '../../../tasks/delete-task.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import { agreeToNumbers } from '../../agree-to-numbers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderDeleted } from '../../render/plan/changes.ts'
import { asksYes } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

type DeleteFlags = GlobalFlags & { yes: boolean }

export default async function remove(this: CallContext, flags: DeleteFlags, ...refs: string[]): Promise<void> {
  await agreeToNumbers(this, flags, refs)
  const tasks = await deleteOrAsk(this, flags, refs)
  printResult(this, flags, tasks, renderDeleted(tasks, this.display))
}

async function deleteOrAsk(context: CallContext, flags: DeleteFlags, refs: readonly string[]): Promise<TaskView[]> {
  const act = (evenBusy: boolean) => inWorkspace(context, flags, (ws) => deleteTask(ws, refs, { evenBusy }))
  try {
    return await act(flags.yes)
  } catch (error) {
    const isBusy = error instanceof UserError && error.code === 'TASK_RUNNING'
    if (!isBusy || flags.json || !(await context.isTerminal(0))) throw error
    if (!asksYes(context, `${error.message}. Delete anyway? Its work is kept.`)) throw error
    return await act(true)
  }
}
