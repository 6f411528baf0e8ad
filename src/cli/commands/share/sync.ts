import { syncLedgers } from '../../../exchange/remote/sync-ledger.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSynced } from '../../render/share/ledgers.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function sync(this: Face, flags: GlobalFlags, remote?: string): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => syncLedgers(ws, { remote }), { spansLedgers: true })
  printResult(this, flags, result, renderSynced(result))
}
