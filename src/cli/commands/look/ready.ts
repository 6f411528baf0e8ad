import { noticeLeftTasks } from '../../../tasks/move/notice-left-tasks.ts'
import { openTasks } from '../../../workspace/views/ready-tasks.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { emptyList, renderReady } from '../../render/look/list.ts'
import { limitRows, openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

export default async function ready(this: CallContext, flags: OutputFlags): Promise<void> {
  if (flags.fields !== undefined) return printSomeFields(this, flags)
  if (flags.json) return printViews(this, flags)
  const { isEmpty, ledger, cut } = await printPage(this, flags, (ws, page) => {
    noticeLeftTasks(ws)
    const cut = openRowCut(this, flags.limit)
    const { ready, blocked } = openTasks(ws)
    const isEmpty =
      printLines(page, renderReady({ ready: cut.take(ready), blocked: cut.take(blocked) }, this.display)) === 0
    return { isEmpty, ledger: ws.ledger, cut }
  })
  reportLeft(this, cut)
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}

async function printViews(context: CallContext, flags: OutputFlags): Promise<void> {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  await printPage(context, flags, (ws, page) => {
    noticeLeftTasks(ws)
    printJsonList(page, limitRows(readyTaskViews(ws).ready, flags.limit), context.display.name)
  })
}

async function printSomeFields(context: CallContext, flags: OutputFlags): Promise<void> {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  const { printFields } = await import('../../print-fields.ts')
  return printFields(context, flags, { kind: 'task', read: (ws) => readyTaskViews(ws).ready })
}
