import { listTodo, startTodo, tickTodo } from '../../app/todo.ts'
import { UserError } from '../../core/user-error.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderStarted, renderTodo } from '../render/todo.ts'

interface Flags extends GlobalFlags {
  file?: string
  all: boolean
  plan?: string
  project?: string
}

export default async function todo(this: Face, flags: Flags, action?: string, n?: string): Promise<void> {
  const { file, plan, project } = flags
  const place = { cwd: this.cwd, ...(file !== undefined && { file }) }
  if (action === undefined) {
    const items = await inWorkspace(this, flags, (ws) => listTodo(ws, place))
    const shown = flags.all ? items : items.filter(({ done }) => !done)
    printResult(this, flags, shown, renderTodo(shown, this.look))
    if (shown.length === 0 && !flags.json) this.err.write('Nothing is left on the list.\n')
    return
  }
  const number = numberOf(action, n)
  if (action === 'start') {
    const options = { ...place, ...(plan !== undefined && { plan }), ...(project !== undefined && { project }) }
    const tasks = await inWorkspace(this, flags, (ws) => startTodo(ws, number, options), { runsOnce: true })
    printResult(this, flags, tasks, renderStarted(tasks, this.look))
    return
  }
  const item = await inWorkspace(this, flags, (ws) => tickTodo(ws, number, place))
  printResult(this, flags, item, renderTodo([item], this.look))
}

function numberOf(action: string, n: string | undefined): number {
  const hint = 'gza todo, gza todo start 3, gza todo done 3'
  if (action !== 'start' && action !== 'done')
    throw new UserError('USAGE', `todo does not know ${action}`, { hint, exitCode: 2 })
  if (n === undefined || !/^[1-9]\d{0,8}$/.test(n))
    throw new UserError(
      'USAGE',
      n === undefined ? `todo ${action} needs the number of an item` : `'${n}' is no number of an item`,
      {
        hint,
        exitCode: 2,
      },
    )
  return Number(n)
}
