import { readStats } from '../../app/engine/stats.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderStats } from '../render/stats.ts'

export default async function stats(this: Face, flags: GlobalFlags): Promise<void> {
  const read = await inWorkspace(this, flags, readStats)
  printResult(this, flags, read, renderStats(read, this.look))
  if (read.total.attempts === 0 && !flags.json) this.err.write('Nothing has run yet.\n')
}
