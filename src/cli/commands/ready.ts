import { openTasks, readyTasks } from '../../app/ready-tasks.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { printPage } from '../page.ts'
import { printJsonList, printLines } from '../print.ts'
import { emptyList, renderReady } from '../render/list.ts'

export default async function ready(this: Face, flags: GlobalFlags): Promise<void> {
  const { isEmpty, ledger } = await printPage(this, flags, (ws, page) => {
    if (flags.json) printJsonList(page, readyTasks(ws).ready)
    const isEmpty = !flags.json && printLines(page, renderReady(openTasks(ws), this.look)) === 0
    return { isEmpty, ledger: ws.ledger }
  })
  if (isEmpty) this.err.write(`${emptyList(ledger, this.look)}\n`)
}
