import { command, sentence } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { assignTask } from '../../../runs/claims/assign-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { label } from '../../render/task-text.ts'
import { printResult } from '../../terminal/print.ts'

export default async function assign(
  this: CallContext,
  flags: GlobalFlags & { none: boolean },
  ref: string,
  agent?: string,
): Promise<void> {
  const name = printable(ref)
  if ((agent === undefined) !== flags.none)
    throw new UserError('USAGE', flags.none ? '--none and an agent cannot be combined' : 'AGENT is missing', {
      hint: sentence`${command`assign ${name} ${printable(agent ?? 'NAME')}`}, or ${command`assign ${name} --none`}`,
      exitCode: 2,
    })
  const task = await inWorkspace(this, flags, (ws) => assignTask(ws, ref, agent ?? null))
  const word = task.assigned_agent === null ? 'assigned to nobody' : `assigned to ${task.assigned_agent}`
  printResult(this, flags, task, [`${this.display.style.yellow(label(task, this.display))}: ${word}`])
}
