import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { linkItem, listTodo, startTodo, type TodoPlace, tickTodo } from '../../../tasks/todo-items.ts'
import type { CallContext, CreateFlag, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderStarted, renderTodo, todoFields } from '../../render/plan/todo.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags, CreateFlag {
  file?: string
  all: boolean
  plan?: string
  project?: string
  new: boolean
}

const USAGE = sentence`${command`todo`}, ${command`todo start 3`}, ${command`todo done 3`}, ${command`todo link 3 ID`}`

export default async function todo(
  this: CallContext,
  flags: Flags,
  action?: string,
  n?: string,
  ref?: string,
): Promise<void> {
  const { file, plan, project } = flags
  const place = { cwd: this.cwd, ...(file !== undefined && { file }) }
  if (action === undefined) return list(this, flags, place)
  const number = numberOf(action, n)
  if ((action === 'link') !== (ref !== undefined))
    throw usage(action === 'link' ? 'todo link needs the task to link the item to' : `todo ${action} takes one number`)
  if (action === 'start') {
    const given = { ...(plan !== undefined && { plan }), ...(project !== undefined && { project }) }
    const options = { ...place, ...given, isNew: flags.new }
    const tasks = await inWorkspace(this, flags, (ws) => startTodo(ws, number, options), {
      runsOnce: true,
      unknownName: flags.create ? 'use' : () => command`todo start ${number}`,
    })
    printResult(this, flags, tasks, renderStarted(tasks, this.display))
    return
  }
  const item = await inWorkspace(this, flags, (ws) =>
    ref === undefined ? tickTodo(ws, number, place) : linkItem(ws, number, ref, place),
  )
  printResult(this, flags, todoFields(item), renderTodo([item], this.display))
}

async function list(context: CallContext, flags: Flags, place: TodoPlace): Promise<void> {
  const items = await inWorkspace(context, flags, (ws) => listTodo(ws, place))
  const shown = flags.all ? items : items.filter(({ done }) => !done)
  printResult(context, flags, shown.map(todoFields), renderTodo(shown, context.display))
  if (shown.length === 0 && !flags.json) context.err.write('Nothing is left on the list.\n')
}

function numberOf(action: string, n: string | undefined): number {
  if (!['start', 'done', 'link'].includes(action)) throw usage(`todo has no action '${action}'`)
  if (n === undefined) throw usage(`todo ${action} needs the number of an item`)
  if (!/^[1-9]\d{0,8}$/.test(n)) throw usage(`'${n}' is not the number of an item`)
  return Number(n)
}

function usage(message: string): UserError {
  return new UserError('USAGE', message, { hint: USAGE, exitCode: 2 })
}
