import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { claimTask } from '../../../runs/claims/claim-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderClaimed } from '../../render/work/agents.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  next: boolean
  minutes?: number
  'take-over': boolean
}

export default async function claim(this: CallContext, flags: Flags, ref?: string): Promise<void> {
  if (flags.next && ref !== undefined)
    throw new UserError('USAGE', 'A task and --next cannot be combined', {
      hint: sentence`${command`claim ${ref}`}, or ${command`claim --next`}`,
      exitCode: 2,
    })
  const options = { takeOver: flags['take-over'], ...(flags.minutes !== undefined && { minutes: flags.minutes }) }
  const claimed = await inWorkspace(this, flags, (ws) => claimTask(ws, flags.next ? null : (ref ?? null), options), {
    runsOnce: true,
  })
  printResult(this, flags, claimed, renderClaimed(claimed, this.display))
  if (claimed === null) this.exitCode = 1
}
