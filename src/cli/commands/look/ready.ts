import { openTasks, readyTasks } from '../../../workspace/views/ready-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { emptyList, renderReady } from '../../render/look/list.ts'
import { printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

export default async function ready(this: CallContext, flags: GlobalFlags): Promise<void> {
  const { isEmpty, ledger } = await printPage(this, flags, (ws, page) => {
    if (flags.json) printJsonList(page, readyTasks(ws).ready)
    const isEmpty = !flags.json && printLines(page, renderReady(openTasks(ws), this.display)) === 0
    return { isEmpty, ledger: ws.ledger }
  })
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}
