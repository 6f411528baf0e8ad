import { groupStatus } from '../../../workspace/views/group-status.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { emptyList } from '../../render/look/list.ts'
import { renderGroupStatus, renderStatus } from '../../render/look/status.ts'
import { printResult } from '../../terminal/print.ts'

export default async function status(this: CallContext, flags: GlobalFlags, group?: string): Promise<void> {
  const { groups, ledger } = await inWorkspace(this, flags, (ws) => ({
    groups: groupStatus(ws, group),
    ledger: ws.ledger,
  }))
  const [only] = groups
  const isOneGroup = group !== undefined && only !== undefined
  printResult(
    this,
    flags,
    groups,
    isOneGroup ? renderGroupStatus(only, this.display) : renderStatus(groups, this.display),
  )
  if (groups.length === 0 && !flags.json) this.err.write(`${emptyList(ledger, this.display)}\n`)
}
