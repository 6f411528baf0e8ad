import { listGroups } from '../../../workspace/views/groups/list-groups.ts'
import type { CallContext } from '../../call-context.ts'
import type { PagedFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderGroups } from '../../render/look/groups.ts'
import { emptyList } from '../../render/look/list.ts'
import { limitRows, openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printResult } from '../../terminal/print.ts'

export default async function groups(this: CallContext, flags: PagedFlags): Promise<void> {
  const { rows, ledger } = await inWorkspace(this, flags, (ws) => ({ rows: listGroups(ws), ledger: ws.ledger }))
  const cut = openRowCut(this, flags.limit)
  const shown = [...(flags.json ? limitRows(rows, flags.limit) : cut.take(rows))]
  printResult(this, flags, shown, renderGroups(shown, this.display))
  reportLeft(this, cut)
  if (rows.length === 0 && !flags.json) this.err.write(`${emptyList(ledger, this.display)}\n`)
}
