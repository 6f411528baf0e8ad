import { command } from '../../../core/sentence.ts'
import { type AddedTask, addTask, addTaskBriefly } from '../../../tasks/add-task.ts'
import type { FieldInput } from '../../../workspace/views/field-input.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, CreateFlag, GlobalFlags } from '../../call-context.ts'
import { type TaskFlags, taskFields } from '../../flags/task-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderAdded } from '../../render/plan/changes.ts'
import { givenText } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

export default async function add(
  this: CallContext,
  flags: GlobalFlags & TaskFlags & CreateFlag,
  content?: string,
): Promise<void> {
  const fields = taskFields(flags)
  const task = await addWith(this, flags, { content, fields })
  printResult(this, flags, task, renderAdded(task, this.display))
}

interface Given {
  content: string | undefined
  fields: FieldInput
}

async function addWith(
  context: CallContext,
  flags: GlobalFlags & CreateFlag,
  { content, fields }: Given,
): Promise<AddedTask> {
  const text = await givenText(context, content)
  const file = flags.json ? addTask : addTaskBriefly
  const addIn = async (ws: Workspace) => {
    if (text !== null) return file(ws, { ...fields, content: text })
    const { useDraft } = await import('../../../tasks/use-draft.ts')
    return useDraft(ws, { initial: '', note: NOTE }, (written) => file(ws, { ...fields, content: written }))
  }
  return inWorkspace(context, flags, addIn, { unknownName: flags.create ? 'use' : () => command`add "…"` })
}

const NOTE = 'Write the task above this line. The first line is its title. If it is empty, nothing is added.'
