import { taskHistory } from '../../../workspace/ledger/task-history.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderHistory } from '../../render/share/ledgers.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function log(this: Face, flags: GlobalFlags & { limit?: number }, ref?: string): Promise<void> {
  const entries = await inWorkspace(this, flags, (ws) => taskHistory(ws, ref, { limit: flags.limit }))
  printResult(this, flags, entries, renderHistory(entries, this.display))
}
