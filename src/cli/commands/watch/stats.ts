import { readStats } from '../../../reports/read-stats.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderStats } from '../../render/watch/stats.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function stats(this: Face, flags: GlobalFlags): Promise<void> {
  const read = await inWorkspace(this, flags, readStats)
  printResult(this, flags, read, renderStats(read, this.display))
  if (read.total.attempts === 0 && !flags.json) this.err.write('Nothing has run yet.\n')
}
