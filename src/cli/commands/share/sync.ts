import { syncLedgers } from '../../../exchange/remote/sync-ledger.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSynced } from '../../render/share/ledgers.ts'
import { printResult } from '../../terminal/print.ts'

export default async function sync(this: CallContext, flags: GlobalFlags, remote?: string): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => syncLedgers(ws, { remote }), { spansLedgers: true })
  printResult(this, flags, result, renderSynced(result))
  if (result.ledgers.some((ledger) => ledger.result === 'refused')) this.exitCode = 1
}
