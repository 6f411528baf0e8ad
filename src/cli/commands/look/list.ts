import { noticeLeftTasks } from '../../../tasks/move/notice-left-tasks.ts'
import { listTasks, listTaskViews } from '../../../workspace/views/list-tasks.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { emptyList, NOTHING_MATCHES, renderList } from '../../render/look/list.ts'
import { type Page, printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

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
  const options = { status, all, allBranches, group, type, limit }
  const print = (ws: Workspace, page: Page) => {
    if (!allBranches) noticeLeftTasks(ws)
    if (flags.json) printJsonList(page, listTaskViews(ws, options))
    const lines = () => renderList(listTasks(ws, options), this.display, { ledgers: allBranches })
    return { isEmpty: !flags.json && printLines(page, lines()) === 0, ledger: allBranches ? null : ws.ledger }
  }
  const { isEmpty, ledger } = await printPage(this, flags, print, { spansLedgers: allBranches })
  if (!isEmpty) return
  const isFiltered = ledger === null || [status, group, type].some((filter) => filter !== undefined)
  this.err.write(`${isFiltered ? NOTHING_MATCHES : emptyList(ledger, this.display)}\n`)
}
