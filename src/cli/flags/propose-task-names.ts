import { briefText } from '../../core/text/shorten.ts'
import { branchNames, type NameKind } from '../../workspace/branches/branch-names.ts'
import { type Fit, fittingTasks } from '../../workspace/search/fitting-tasks.ts'
import { savedViews } from '../../workspace/search/saved-views.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CallContext } from '../call-context.ts'
import { inWorkspace } from '../in-workspace.ts'

/**
 * The tasks that fit a command, each as `name⇥title`: numbers after a digit, otherwise ids and keys. Never throws,
 * because a shell is the caller.
 */
export async function proposeTaskNames(context: CallContext, fit: Fit, beginning: string): Promise<readonly string[]> {
  try {
    const find = (ws: Workspace) => fittingTasks(ws, { fit, beginning, limit: MOST })
    const tasks = await inWorkspace(context, { json: false }, find)
    return tasks.flatMap((task) => namesOf(task, beginning).map((name) => `${name}\t${briefText(task.title, 100)}`))
  } catch {
    return []
  }
}

type NamedTask = ReturnType<typeof fittingTasks>[number]

function namesOf({ number, id, key }: NamedTask, beginning: string): string[] {
  if (/^[0-9]/.test(beginning)) return [String(number)]
  return key === null || !isPlainWord(key) ? [id] : [id, key]
}

/**
 * A shell takes it as one word and obeys nothing in it: bash inserts a candidate as it is. Anyone who shares the
 * repository can write keys and branches.
 */
function isPlainWord(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.:@%+,/-]*$/u.test(name)
}

export async function proposeBranches(context: CallContext, kind: NameKind): Promise<readonly string[]> {
  try {
    const names = await inWorkspace(context, { json: false }, (ws) => branchNames(ws, kind), { spansLedgers: true })
    return names.filter(isPlainWord).slice(0, MOST)
  } catch {
    return []
  }
}

export async function proposeViews(context: CallContext): Promise<readonly string[]> {
  try {
    return await inWorkspace(context, { json: false }, savedViews, { spansLedgers: true })
  } catch {
    return []
  }
}

const MOST = 500
