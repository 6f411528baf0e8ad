import { command } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { type Resolution, resolveInboxEntry } from '../../../scheduler/resolve-inbox-entry.ts'
import { agreeToNumbers } from '../../agree-to-numbers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { label, statusWord } from '../../render/task-text.ts'
import { printResult } from '../../terminal/print.ts'

type Flags = GlobalFlags & Record<Resolution, boolean> & { commit?: string }

export default async function resolve(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const chosen = (['fixed', 'skip', 'reset', 'abort'] as const).filter((resolution) => flags[resolution])
  const [resolution] = chosen
  if (resolution === undefined || chosen.length > 1) {
    throw new UserError('USAGE', 'Give exactly one of --fixed, --skip, --reset and --abort', {
      hint: command`resolve ${printable(ref)} --fixed|--skip|--reset|--abort`,
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
  const word = (status: (typeof tasks)[number]['status']) =>
    resolution === 'abort' ? 'on hold' : statusWord(status, this.display)
  printResult(
    this,
    flags,
    tasks,
    tasks.map((task) => `${label(task, this.display)}: ${word(task.status)}`),
  )
}
