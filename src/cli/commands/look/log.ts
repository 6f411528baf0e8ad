import { taskHistory } from '../../../workspace/ledger/task-history.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderHistory } from '../../render/share/ledgers.ts'
import { printResult } from '../../terminal/print.ts'

export default async function log(
  this: CallContext,
  flags: GlobalFlags & { limit?: number },
  ref?: string,
): Promise<void> {
  const entries = await inWorkspace(this, flags, (ws) => taskHistory(ws, ref, { limit: flags.limit }))
  printResult(this, flags, entries, renderHistory(entries, this.display))
}
