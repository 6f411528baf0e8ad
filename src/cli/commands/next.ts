import { nextTasks, openTasks, readyTasks } from '../../app/ready-tasks.ts'
import type { Workspace } from '../../app/workspace.ts'
import type { Face, GlobalFlags, Look } from '../face.ts'
import { type Page, printPage } from '../page.ts'
import { printJsonList, printLines } from '../print.ts'
import { emptyList } from '../render/list.ts'
import { byNumber, renderNext, renderNextAll } from '../render/next.ts'

type Flags = GlobalFlags & { all: boolean }

export default async function next(this: Face, flags: Flags): Promise<void> {
  const { isEmpty, ledger } = await printPage(this, flags, (ws, page) => {
    if (flags.json) printViews(ws, page, flags)
    const isEmpty = !flags.json && printLines(page, linesOf(ws, flags, this.look)) === 0
    return { isEmpty, ledger: ws.ledger }
  })
  if (isEmpty) this.err.write(`${emptyList(ledger, this.look)}\n`)
}

function printViews(ws: Workspace, page: Page, { all }: Flags): void {
  const { ready, blocked } = readyTasks(ws)
  printJsonList(page, all ? byNumber([...ready, ...blocked]) : ready)
}

function linesOf(ws: Workspace, { all }: Flags, look: Look): Iterable<string> {
  return all ? renderNextAll(openTasks(ws), look) : renderNext(nextTasks(ws), look)
}
