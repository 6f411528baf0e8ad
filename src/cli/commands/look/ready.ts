import { noticeLeftTasks } from '../../../tasks/move/notice-left-tasks.ts'
import { openTasks } from '../../../workspace/views/ready-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { emptyList, renderReady } from '../../render/look/list.ts'
import { printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

export default async function ready(this: CallContext, flags: GlobalFlags): Promise<void> {
  if (flags.json) return printViews(this, flags)
  const { isEmpty, ledger } = await printPage(this, flags, (ws, page) => {
    noticeLeftTasks(ws)
    const isEmpty = printLines(page, renderReady(openTasks(ws), this.display)) === 0
    return { isEmpty, ledger: ws.ledger }
  })
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}

async function printViews(context: CallContext, flags: GlobalFlags): Promise<void> {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  await printPage(context, flags, (ws, page) => {
    noticeLeftTasks(ws)
    printJsonList(page, readyTaskViews(ws).ready)
  })
}
