import { splitTask } from '../../app/split-task.ts'
import type { Strategy } from '../../core/split-groups.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderSplit } from '../render/split.ts'

interface Flags extends GlobalFlags {
  strategy?: Strategy
  'dry-run': boolean
}

export default async function split(this: Face, flags: Flags, ref: string): Promise<void> {
  const dryRun = flags['dry-run']
  const result = await inWorkspace(this, flags, (ws) =>
    splitTask(ws, ref, { dryRun, ...(flags.strategy && { strategy: flags.strategy }) }),
  )
  printResult(this, flags, result, renderSplit(result, this.look, { dryRun }))
}
