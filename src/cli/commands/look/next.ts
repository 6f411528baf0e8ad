import { isNothingReady, nextTasks, openTasks, readyTasks } from '../../../workspace/views/ready-tasks.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { emptyList } from '../../render/look/list.ts'
import { byNumber, renderNext, renderNextAll } from '../../render/look/next.ts'
import type { Display } from '../../terminal/display.ts'
import { type Page, printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

type Flags = GlobalFlags & { all: boolean }

export default async function next(this: CallContext, flags: Flags): Promise<void> {
  const { isEmpty, ledger, isStuck } = await printPage(this, flags, (ws, page) => {
    if (flags.json) printViews(ws, page, flags)
    const isEmpty = !flags.json && printLines(page, linesOf(ws, flags, this.display)) === 0
    return { isEmpty, ledger: ws.ledger, isStuck: isNothingReady(ws) }
  })
  if (isStuck) await printDeadlock(this, flags)
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}

/** Loaded only when nothing is ready, which is rare. */
async function printDeadlock(context: CallContext, flags: Flags): Promise<void> {
  const { readDeadlock } = await import('../../../reports/read-deadlock.ts')
  const { deadlockLine } = await import('../../render/run/deadlock.ts')
  const deadlock = await inWorkspace(context, flags, readDeadlock)
  if (deadlock !== null) context.err.write(`${deadlockLine(deadlock, context.display)}\n`)
}

function printViews(ws: Workspace, page: Page, { all }: Flags): void {
  const { ready, blocked } = readyTasks(ws)
  printJsonList(page, all ? byNumber([...ready, ...blocked]) : ready)
}

function linesOf(ws: Workspace, { all }: Flags, display: Display): Iterable<string> {
  return all ? renderNextAll(openTasks(ws), display) : renderNext(nextTasks(ws), display)
}
