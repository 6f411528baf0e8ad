import { pruneLedgers } from '../../../exchange/remote/prune-ledgers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderPruned } from '../../render/check/checks.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  'dry-run': boolean
  restore?: string
}

export default async function prune(this: CallContext, flags: Flags): Promise<void> {
  const { restore, 'dry-run': dryRun } = flags
  const result = await inWorkspace(this, flags, (ws) => pruneLedgers(ws, { dryRun, restore }), { spansLedgers: true })
  printResult(this, flags, result, renderPruned(result, { dryRun }))
}
