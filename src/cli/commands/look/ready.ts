import { openTasks, readyTasks } from '../../../workspace/views/ready-tasks.ts'
import { emptyList, renderReady } from '../../render/look/list.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

export default async function ready(this: Face, flags: GlobalFlags): Promise<void> {
  const { isEmpty, ledger } = await printPage(this, flags, (ws, page) => {
    if (flags.json) printJsonList(page, readyTasks(ws).ready)
    const isEmpty = !flags.json && printLines(page, renderReady(openTasks(ws), this.display)) === 0
    return { isEmpty, ledger: ws.ledger }
  })
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}
