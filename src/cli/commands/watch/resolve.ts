import { command } from '../../../core/sentence.ts'
import { isOnHold } from '../../../core/task/status-predicates.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { RESOLUTIONS, type Resolution, resolveInboxEntry } from '../../../scheduler/resolve-inbox-entry.ts'
import { agreeToNumbers } from '../../agree-to-numbers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { label, statusWord } from '../../render/task-text.ts'
import { printResult } from '../../terminal/print.ts'

type Flags = GlobalFlags & Record<Resolution, boolean> & { commit?: string }

export default async function resolve(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const chosen = RESOLUTIONS.filter((resolution) => flags[resolution])
  const [resolution] = chosen
  if (resolution === undefined || chosen.length > 1) {
    throw new UserError('USAGE', 'Give exactly one of --fixed, --skip, --reset, --abort and --resume', {
      hint: command`resolve ${printable(ref)} --fixed|--skip|--reset|--abort|--resume`,
      exitCode: 2,
    })
  }
  const { commit } = flags
  if (commit !== undefined && resolution !== 'fixed') {
    throw new UserError('USAGE', '--commit names the commit of a task that was fixed by hand', {
      hint: command`resolve ${printable(ref)} --fixed --commit ${printable(commit)}`,
      exitCode: 2,
    })
  }
  const decision = { resolution, ...(commit !== undefined && { commit }) }
  await agreeToNumbers(this, flags, [ref])
  const tasks = await inWorkspace(this, flags, (ws) => resolveInboxEntry(ws, ref, decision))
  if (tasks === null) {
    printResult(this, flags, { subject: ref, resolved: resolution }, [`${printable(ref)}: out of the inbox`])
    return
  }
  const word = (task: (typeof tasks)[number]) => {
    if (resolution === 'abort') return 'on hold'
    return `${statusWord(task.status, this.display)}${isOnHold(task) ? ', on hold' : ''}`
  }
  printResult(
    this,
    flags,
    tasks,
    tasks.map((task) => `${label(task, this.display)}: ${word(task)}`),
  )
}
