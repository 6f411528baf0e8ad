import { nextTasks, openTasks } from '../../../workspace/views/ready-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { emptyList } from '../../render/look/list.ts'
import { byNumber, renderNext, renderNextAll } from '../../render/look/next.ts'
import { printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

type Flags = GlobalFlags & { all: boolean }

export default async function next(this: CallContext, flags: Flags): Promise<void> {
  const { isEmpty, ledger, isStuck } = await (flags.json ? printViews(this, flags) : printNames(this, flags))
  if (isStuck) await printDeadlock(this, flags)
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}

interface Printed {
  isEmpty: boolean
  ledger: string
  isStuck: boolean
}

function printNames(context: CallContext, flags: Flags): Promise<Printed> {
  return printPage(context, flags, (ws, page) => {
    const next = nextTasks(ws)
    const lines = flags.all ? renderNextAll(openTasks(ws), context.display) : renderNext(next, context.display)
    return { isEmpty: printLines(page, lines) === 0, ledger: ws.ledger, isStuck: next.isStuck }
  })
}

async function printViews(context: CallContext, flags: Flags): Promise<Printed> {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  return printPage(context, flags, (ws, page) => {
    const { ready, blocked, isStuck } = readyTaskViews(ws)
    printJsonList(page, flags.all ? byNumber([...ready, ...blocked]) : ready)
    return { isEmpty: false, ledger: ws.ledger, isStuck }
  })
}

/** Loaded only when nothing is ready, which is rare. */
async function printDeadlock(context: CallContext, flags: Flags): Promise<void> {
  const { readDeadlock } = await import('../../../reports/read-deadlock.ts')
  const { deadlockLine } = await import('../../render/run/deadlock.ts')
  const deadlock = await inWorkspace(context, flags, readDeadlock)
  if (deadlock !== null) context.err.write(`${deadlockLine(deadlock, context.display)}\n`)
}
