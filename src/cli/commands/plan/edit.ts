import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { type EditInput, editTask } from '../../../tasks/edit-task.ts'
import { useDraft } from '../../../tasks/use-draft.ts'
import { showTask } from '../../../workspace/views/show-task.ts'
import type { TaskView } from '../../../workspace/views/views.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { type TaskFlags, taskFields } from '../../flags/task-flags.ts'
import { unexpectedTextName } from '../../flags/text-name.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderEdited } from '../../render/plan/changes.ts'
import { givenText } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags, TaskFlags {
  content?: string
  verdict?: string
  reopen: boolean
  text: boolean
  'no-review'?: boolean
  'no-same-branch'?: boolean
}

export default async function edit(this: CallContext, flags: Flags, ref: string, name?: string): Promise<void> {
  const changes = await changesOf(this, flags)
  if (!flags.text && name !== undefined) throw unexpectedTextName(name, command`edit ${ref} --text ${name}`)
  const task = await inWorkspace(this, flags, async (ws) => {
    if (flags.text) return takeIn(ws, { ref, name, changes })
    // An agent is refused first, so that it reads the reason and not how to call the command.
    const isEmpty = Object.keys(changes).length === 0 && ws.actor.mode === 'human'
    return isEmpty ? editContent(this, ws, ref) : editTask(ws, ref, changes)
  })
  printResult(this, flags, task, renderEdited(task, this.display))
}

async function changesOf(context: CallContext, flags: Flags): Promise<EditInput> {
  const { content, verdict, reopen } = flags
  return {
    ...(content !== undefined && { content: (await givenText(context, content)) ?? '' }),
    ...(verdict !== undefined && { verdict }),
    ...(reopen && { reopen }),
    ...taskFields(flags),
    ...(flags['no-review'] && { create_review: false }),
    ...(flags['no-same-branch'] && { same_branch: false }),
  }
}

/** The text of a plan is not a field of its task, so it is taken in alone. */
async function takeIn(
  ws: Workspace,
  { ref, name, changes }: { ref: string; name: string | undefined; changes: EditInput },
): Promise<TaskView> {
  if (Object.keys(changes).length > 0)
    throw new UserError('USAGE', '--text takes in an edited text, and nothing besides', {
      hint: command`edit ${ref} --text`,
      exitCode: 2,
    })
  return (await import('../../../tasks/take-in-text.ts')).takeInText(ws, ref, name)
}

async function editContent(context: CallContext, ws: Workspace, ref: string): Promise<TaskView> {
  if (!(await context.isTerminal(0))) throw nothingToChange()
  const { content } = await showTask(ws, ref)
  return useDraft(ws, { initial: content, note: NOTE }, (written) => editTask(ws, ref, { content: written }))
}

const NOTE = 'Change the task above this line. The first line is its title.'

function nothingToChange(): UserError {
  return new UserError('NOTHING_TO_CHANGE', 'Nothing to change: no flag was given', {
    hint: sentence`${command`edit ID --content "…"`} changes the text; ${command`edit --help`} lists the rest.`,
    exitCode: 2,
  })
}
