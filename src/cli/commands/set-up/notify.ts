import { reportNotify } from '../../../scheduler/notify/report-notify.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderNotify } from '../../render/set-up/set-up.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  test: boolean
}

export default async function notify(this: CallContext, flags: Flags): Promise<void> {
  const { test } = flags
  const options = { runsOnce: true, spansLedgers: true }
  const report = await inWorkspace(this, flags, (ws) => reportNotify(ws, { test }), options)
  printResult(this, flags, report, renderNotify(report, this.display))
  if (report.sent?.some(({ failure }) => failure !== null)) this.exitCode = 1
}
