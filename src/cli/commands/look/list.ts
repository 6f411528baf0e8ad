import { listTasks } from '../../../workspace/views/list-tasks.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { emptyList, NOTHING_MATCHES, renderList } from '../../render/look/list.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  status?: string
  all: boolean
  'all-branches': boolean
  group?: string
  type?: string
  limit?: number
}

export default async function list(this: CallContext, flags: Flags): Promise<void> {
  const { status, all, group, type, limit } = flags
  const allBranches = flags['all-branches']
  const read = (ws: Workspace) => ({
    tasks: listTasks(ws, { status, all, allBranches, group, type, limit }),
    ledger: allBranches ? null : ws.ledger,
  })
  const { tasks, ledger } = await inWorkspace(this, flags, read, { spansLedgers: allBranches })
  printResult(this, flags, tasks, renderList(tasks, this.display, { ledgers: allBranches }))
  if (tasks.length > 0 || flags.json) return
  const isFiltered = ledger === null || [status, group, type].some((filter) => filter !== undefined)
  this.err.write(`${isFiltered ? NOTHING_MATCHES : emptyList(ledger, this.display)}\n`)
}
