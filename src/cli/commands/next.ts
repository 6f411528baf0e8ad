import { openTasks, readyTasks } from '../../app/ready-tasks.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { emptyList } from '../render/list.ts'
import { byNumber, renderNext, renderNextAll } from '../render/next.ts'

export default async function next(this: Face, flags: GlobalFlags & { all: boolean }): Promise<void> {
  const { tasks, ledger } = await inWorkspace(this, flags, (ws) => ({
    tasks: flags.json ? readyTasks(ws) : openTasks(ws),
    ledger: ws.ledger,
  }))
  const value = flags.all ? byNumber([...tasks.ready, ...tasks.blocked]) : tasks.ready
  printResult(this, flags, value, flags.all ? renderNextAll(tasks, this.look) : renderNext(tasks, this.look))
  if (tasks.ready.length + tasks.blocked.length > 0 || flags.json) return
  this.err.write(`${emptyList(ledger, this.look)}\n`)
}
