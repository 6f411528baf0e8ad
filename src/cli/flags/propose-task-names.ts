import { printable } from '../../core/text/printable.ts'
import { deletedTasks } from '../../tasks/restore-tasks.ts'
import { branchNames, type NameKind } from '../../workspace/branches/branch-names.ts'
import { listTasks } from '../../workspace/views/list-tasks.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CallContext } from '../call-context.ts'
import { inWorkspace } from '../in-workspace.ts'

/** Names of open tasks: numbers after a digit, otherwise ids and keys. Never throws, because a shell is the caller. */
export function proposeTaskNames(context: CallContext, partial: string): Promise<readonly string[]> {
  return proposeNames(context, partial, (ws) => listTasks(ws, { limit: MOST }))
}

export function proposeDeletedNames(context: CallContext, partial: string): Promise<readonly string[]> {
  return proposeNames(context, partial, (ws) => deletedTasks(ws).slice(-MOST))
}

/** Names that a terminal cannot show are left out. */
export async function proposeBranches(context: CallContext, kind: NameKind): Promise<readonly string[]> {
  try {
    const names = await inWorkspace(context, { json: false }, (ws) => branchNames(ws, kind), { spansLedgers: true })
    return names.filter((name) => printable(name) === name).slice(0, MOST)
  } catch {
    return []
  }
}

async function proposeNames(
  context: CallContext,
  partial: string,
  read: (ws: Workspace) => readonly { number: number; id: string; key: string | null }[],
): Promise<readonly string[]> {
  try {
    const tasks = await inWorkspace(context, { json: false }, read)
    if (/^[0-9]/.test(partial)) return tasks.map(({ number }) => String(number))
    return tasks.flatMap(({ id, key }) => (key === null || printable(key) !== key ? [id] : [id, key]))
  } catch {
    return []
  }
}

const MOST = 500
