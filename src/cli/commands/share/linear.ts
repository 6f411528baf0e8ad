import { command } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { syncLinear } from '../../../exchange/linear/sync-linear.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderLinear, renderLinearProblems } from '../../render/share/linear.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  'dry-run': boolean
}

export default async function linear(this: CallContext, flags: Flags, action: string): Promise<void> {
  if (action !== 'sync')
    throw new UserError('USAGE', `linear has no action '${action}'`, {
      hint: command`linear sync`,
      exitCode: 2,
    })
  const report = await inWorkspace(this, flags, (ws) => syncLinear(ws, { dryRun: flags['dry-run'] }), {
    runsOnce: true,
  })
  printResult(this, flags, report, renderLinear(report, this.display))
  if (!flags.json) printLines(this.err, renderLinearProblems(report))
  if (report.failed.length > 0) this.exitCode = 1
}
