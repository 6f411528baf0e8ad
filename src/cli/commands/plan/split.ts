import type { Strategy } from '../../../core/size/strategies.ts'
import { splitTask } from '../../../planning/split/split-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSplit, splitFields } from '../../render/plan/split.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  strategy?: Strategy
  'dry-run': boolean
}

export default async function split(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const dryRun = flags['dry-run']
  const result = await inWorkspace(this, flags, (ws) =>
    splitTask(ws, ref, { dryRun, ...(flags.strategy && { strategy: flags.strategy }) }),
  )
  printResult(this, flags, splitFields(result), renderSplit(result, this.display, { dryRun }))
}
