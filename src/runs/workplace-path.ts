import { join } from 'node:path'
import { workplaceRoot } from '../engine/worktree/workplace.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Where a run works: tasks that make commits at their branch's place, others at one of the run's own. */
export function workplacePath(
  { repo, env }: Workspace,
  { branch, run }: { branch: string | null; run: string },
): string {
  return join(workplaceRoot(repo, env), branch ?? run)
}
