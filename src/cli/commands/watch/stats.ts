import { readStats } from '../../../reports/read-stats.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderStats } from '../../render/watch/stats.ts'
import { printResult } from '../../terminal/print.ts'

export default async function stats(this: CallContext, flags: GlobalFlags): Promise<void> {
  const read = await inWorkspace(this, flags, readStats)
  printResult(this, flags, read, renderStats(read, this.display))
  if (read.total.attempts === 0 && !flags.json) this.err.write('Nothing has run yet.\n')
}
