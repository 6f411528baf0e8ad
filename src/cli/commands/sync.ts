import { syncLedgers } from '../../app/sync-ledger.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderSynced } from '../render/ledgers.ts'

export default async function sync(this: Face, flags: GlobalFlags, remote?: string): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => syncLedgers(ws, { remote }), { spansLedgers: true })
  printResult(this, flags, result, renderSynced(result))
}
