import { declaredFiles, outsideScope } from '../../core/landing/scope.ts'
import type { RunEnd } from '../../core/run/run-rules.ts'
import type { Task } from '../../core/task/task.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { changedFiles } from '../worktree/workplace.ts'

/** Most tasks name a few files. A list of thousands would only fill the ledger. */
const MOST_OUTSIDE = 50

interface Work {
  task: Task
  /** The commit that the work started from. */
  base: string
  end: RunEnd
}

/** Reports the files that completed work changes and that its task does not declare. */
export async function withOutside(repo: Repo, { task, base, end }: Work): Promise<RunEnd> {
  const declared = declaredFiles(task)
  if (end.outcome !== 'completed' || end.head === undefined || declared.length === 0) return end
  const outside = outsideScope(declared, await changedFiles(repo, base, end.head))
  return outside.length === 0 ? end : { ...end, outside: outside.slice(0, MOST_OUTSIDE) }
}
