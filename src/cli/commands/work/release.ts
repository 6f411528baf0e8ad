import { plural } from '../../../core/text/plural.ts'
import { releaseTask } from '../../../runs/claims/claim-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { label } from '../../render/task-text.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  run?: string
  renew?: number
}

export default async function release(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const options = {
    ...(flags.run !== undefined && { run: flags.run }),
    ...(flags.renew !== undefined && { renewMinutes: flags.renew }),
  }
  const task = await inWorkspace(this, flags, (ws) => releaseTask(ws, ref, options))
  const word = flags.renew === undefined ? 'released' : `kept for ${plural(flags.renew, 'more minute')}`
  printResult(this, flags, task, [`${label(task, this.display)}: ${word}`])
}
