import { findRepo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { judgeTransaction, parseMoves } from './judge-transaction.ts'
import { keptBranches } from './keep-branches.ts'

/**
 * What the guard's hooks ask gza: may an agent do this? Returns why not, one sentence each. Whatever cannot be judged
 * throws, and a hook that fails refuses.
 */
export function runHook(name: string, input: string, { cwd, env }: { cwd: string; env: Env }): string[] {
  if (name !== 'reference-transaction') throw new Error(`the guard has no questions in the hook ${name}`)
  // Git's own variables name the object store while a transaction is being prepared; replaced objects would lie to us.
  const repo = findRepo(cwd, { ...env, GIT_NO_REPLACE_OBJECTS: '1' })
  return judgeTransaction(repo, parseMoves(input), keptBranches(repo, env))
}
