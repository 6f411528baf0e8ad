import { UserError } from '../../../core/user-error.ts'
import { readStats } from '../../../reports/read-stats.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderStats } from '../../render/watch/stats.ts'
import { printLines, printResult } from '../../terminal/print.ts'

type Flags = GlobalFlags & { days?: number; openmetrics: boolean }

export default async function stats(this: CallContext, flags: Flags): Promise<void> {
  if (flags.openmetrics) return printMetrics(this, flags)
  const read = await inWorkspace(this, flags, (ws) => readStats(ws, { days: flags.days }))
  printResult(this, flags, read, renderStats(read, this.display))
  if (read.total.attempts > 0 || flags.json) return
  this.err.write(flags.days === undefined ? 'Nothing has run yet.\n' : 'Nothing has run in these days.\n')
}

async function printMetrics(context: CallContext, flags: Flags): Promise<void> {
  if (flags.json || flags.days !== undefined)
    throw new UserError('USAGE', '--openmetrics cannot be combined with --json or --days', {
      hint: 'It is a format of its own, and its counters never go back.',
      exitCode: 2,
    })
  const { readMetrics } = await import('../../../reports/read-metrics.ts')
  const { renderOpenMetrics } = await import('../../render/watch/open-metrics.ts')
  printLines(context.out, renderOpenMetrics(await inWorkspace(context, flags, readMetrics)))
}
