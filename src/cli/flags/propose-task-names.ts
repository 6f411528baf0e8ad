import { printable } from '../../core/text/printable.ts'
import { listTasks } from '../../workspace/views/list-tasks.ts'
import type { CallContext } from '../call-context.ts'
import { inWorkspace } from '../in-workspace.ts'

/** The open tasks as one may type them: numbers for who types digits, else ids and keys. Never an error: a shell asks. */
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
