import { listGroups } from '../../../workspace/views/list-groups.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderGroups } from '../../render/look/groups.ts'
import { emptyList } from '../../render/look/list.ts'
import { printResult } from '../../terminal/print.ts'

export default async function groups(this: CallContext, flags: GlobalFlags): Promise<void> {
  const { rows, ledger } = await inWorkspace(this, flags, (ws) => ({ rows: listGroups(ws), ledger: ws.ledger }))
  printResult(this, flags, rows, renderGroups(rows, this.display))
  if (rows.length === 0 && !flags.json) this.err.write(`${emptyList(ledger, this.display)}\n`)
}
