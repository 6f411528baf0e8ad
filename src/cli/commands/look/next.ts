import { nextTasks, openTasks } from '../../../workspace/views/ready-tasks.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { emptyList } from '../../render/look/list.ts'
import { byNumber, renderNext, renderNextAll } from '../../render/look/next.ts'
import { limitRows, openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printPage } from '../../terminal/page.ts'
import { printJsonList, printLines } from '../../terminal/print.ts'

type Flags = OutputFlags & { all: boolean }

export default async function next(this: CallContext, flags: Flags): Promise<void> {
  if (flags.fields !== undefined) return printSomeFields(this, flags)
  const { isEmpty, ledger, isStuck } = await (flags.json ? printViews(this, flags) : printNames(this, flags))
  if (isStuck) await printDeadlock(this, flags)
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
}

interface Printed {
  isEmpty: boolean
  ledger: string
  isStuck: boolean
}

async function printNames(context: CallContext, flags: Flags): Promise<Printed> {
  const { cut, ...printed } = await printPage(context, flags, (ws, page) => {
    const next = nextTasks(ws)
    const cut = openRowCut(context, flags.limit)
    const lines = flags.all
      ? renderNextAll(cut.take(byNumber(openTasks(ws))), context.display)
      : renderNext({ ...next, ready: cut.take(next.ready) }, context.display)
    return { isEmpty: printLines(page, lines) === 0, ledger: ws.ledger, isStuck: next.isStuck, cut }
  })
  reportLeft(context, cut)
  return printed
}

async function printViews(context: CallContext, flags: Flags): Promise<Printed> {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  return printPage(context, flags, (ws, page) => {
    const tasks = readyTaskViews(ws)
    const shown = limitRows(flags.all ? byNumber(tasks) : tasks.ready, flags.limit)
    printJsonList(page, shown, context.display.name)
    return { isEmpty: false, ledger: ws.ledger, isStuck: tasks.isStuck }
  })
}

async function printSomeFields(context: CallContext, flags: Flags): Promise<void> {
  const { readyTaskViews } = await import('../../../workspace/views/ready-task-views.ts')
  const { printFields } = await import('../../print-fields.ts')
  const read = (ws: Workspace) => {
    const tasks = readyTaskViews(ws)
    return flags.all ? byNumber(tasks) : tasks.ready
  }
  return printFields(context, flags, { kind: 'task', read })
}

/** Loaded only when nothing is ready, which is rare. */
async function printDeadlock(context: CallContext, flags: Flags): Promise<void> {
  const { readDeadlock } = await import('../../../reports/read-deadlock.ts')
  const { deadlockLine } = await import('../../render/run/deadlock.ts')
  const deadlock = await inWorkspace(context, flags, readDeadlock)
  if (deadlock !== null) context.err.write(`${deadlockLine(deadlock, context.display)}\n`)
}
