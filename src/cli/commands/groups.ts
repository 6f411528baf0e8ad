import { listGroups } from '../../app/groups.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderGroups } from '../render/groups.ts'
import { emptyList } from '../render/list.ts'

export default async function groups(this: Face, flags: GlobalFlags): Promise<void> {
  const { rows, ledger } = await inWorkspace(this, flags, (ws) => ({ rows: listGroups(ws), ledger: ws.ledger }))
  printResult(this, flags, rows, renderGroups(rows, this.look))
  if (rows.length === 0 && !flags.json) this.err.write(`${emptyList(ledger, this.look)}\n`)
}
