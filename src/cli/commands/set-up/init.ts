import { missingHere } from '../../../reports/remote-findings.ts'
import { initRepo } from '../../../workspace/init-repo.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderInit } from '../../render/set-up/set-up.ts'
import { printResult } from '../../terminal/print.ts'

export default async function init(this: CallContext, flags: GlobalFlags): Promise<void> {
  const result = await inWorkspace(
    this,
    flags,
    async (ws) => {
      const done = initRepo(ws)
      ws.warnings.push(...(await missingHere(ws)))
      return done
    },
    { spansLedgers: true },
  )
  printResult(this, flags, result, renderInit(result))
}
