import { printable } from '../../core/text/printable.ts'
import { listTasks } from '../../workspace/views/list-tasks.ts'
import { inWorkspace } from '../in-workspace.ts'
import type { Face } from '../terminal/face.ts'

/** The open tasks as one may type them: numbers for who types digits, else ids and keys. Never an error: a shell asks. */
export async function proposeTaskNames(face: Face, partial: string): Promise<readonly string[]> {
  try {
    const tasks = await inWorkspace(face, { json: false }, (ws) => listTasks(ws, { limit: MOST }))
    if (/^[0-9]/.test(partial)) return tasks.map(({ number }) => String(number))
    return tasks.flatMap(({ id, key }) => (key === null || printable(key) !== key ? [id] : [id, key]))
  } catch {
    return []
  }
}

const MOST = 500
