import { taskHistory } from '../../../workspace/ledger/task-history.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printFields } from '../../print-fields.ts'
import { renderHistory } from '../../render/share/ledgers.ts'
import { openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printResult } from '../../terminal/print.ts'

export default async function log(this: CallContext, flags: OutputFlags, ref?: string): Promise<void> {
  const { limit, json } = flags
  const read = (ws: Workspace) => taskHistory(ws, ref, { limit })
  if (flags.fields !== undefined) return printFields(this, flags, { kind: 'change', read })
  const entries = await inWorkspace(this, flags, read)
  const cut = openRowCut(this, limit)
  printResult(this, flags, entries, json ? [] : renderHistory(cut.take(entries), this.display))
  reportLeft(this, cut)
}
