import { openTasks, readyTasks } from '../../app/ready-tasks.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { emptyList, renderReady } from '../render/list.ts'

export default async function ready(this: Face, flags: GlobalFlags): Promise<void> {
  const { tasks, ledger } = await inWorkspace(this, flags, (ws) => ({
    tasks: flags.json ? readyTasks(ws) : openTasks(ws),
    ledger: ws.ledger,
  }))
  printResult(this, flags, tasks.ready, renderReady(tasks, this.look))
  if (tasks.ready.length + tasks.blocked.length > 0 || flags.json) return
  this.err.write(`${emptyList(ledger, this.look)}\n`)
}
