import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { archiveTasks } from '../../../tasks/archive-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderArchived } from '../../render/plan/changes.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  'older-than'?: number
  restore: boolean
  'dry-run': boolean
}

export default async function archive(this: CallContext, flags: Flags, ...refs: string[]): Promise<void> {
  const { restore, 'older-than': olderThanDays, 'dry-run': dryRun } = flags
  refuseUnclear(flags, refs)
  const options = { refs, restore, dryRun, ...(olderThanDays !== undefined && { olderThanDays }) }
  const tasks = await inWorkspace(this, flags, (ws) => archiveTasks(ws, options))
  printResult(this, flags, tasks, renderArchived(tasks, this.display, { restore, dryRun }))
  if (tasks.length === 0 && !flags.json) this.err.write(`Nothing to ${restore ? 'restore' : 'archive'}.\n`)
}

function refuseUnclear({ restore, 'older-than': days }: Flags, refs: readonly string[]): void {
  const hint = sentence`${command`archive 12`}, ${command`archive --older-than 30`}, or ${command`archive --restore`}`
  if (days !== undefined && (refs.length > 0 || restore))
    throw new UserError('USAGE', '--older-than cannot be combined with tasks or --restore', {
      hint,
      exitCode: 2,
    })
  if (days === undefined && refs.length === 0 && !restore)
    throw new UserError('USAGE', 'No tasks were given', { hint, exitCode: 2 })
}
