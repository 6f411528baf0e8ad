import { printable } from '../../core/text/printable.ts'
import { listTasks } from '../../workspace/views/list-tasks.ts'
import type { CallContext } from '../call-context.ts'
import { inWorkspace } from '../in-workspace.ts'

/** Names of open tasks: numbers after a digit, otherwise ids and keys. Never throws, because a shell is the caller. */
export async function proposeTaskNames(context: CallContext, partial: string): Promise<readonly string[]> {
  try {
    const tasks = await inWorkspace(context, { json: false }, (ws) => listTasks(ws, { limit: MOST }))
    if (/^[0-9]/.test(partial)) return tasks.map(({ number }) => String(number))
    return tasks.flatMap(({ id, key }) => (key === null || printable(key) !== key ? [id] : [id, key]))
  } catch {
    return []
  }
}

const MOST = 500
