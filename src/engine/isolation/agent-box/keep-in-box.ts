/** Commits what an agent left uncommitted in its worktree, in a box, and imports the commit. */
import type { Level } from '../../../core/isolation/levels.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { withoutFilters } from '../../../platform/git/settings/without-filters.ts'
import { isOurs, listUncommitted } from '../../../platform/git/uncommitted.ts'
import { openWorkTree } from '../../../platform/git/worktrees.ts'
import { passStep } from '../../../platform/processes/crash-point.ts'
import type { Refused } from '../../worktree/sift-leftovers.ts'
import { makePrivateGit } from '../private-git/make.ts'
import { openPrivateGit, type PrivateGit, privateFolder } from '../private-git/private-git.ts'
import { mayHaveStaged } from '../private-git/private-state.ts'
import { importFrom } from './import-in-box.ts'
import { runInside } from './run-inside.ts'

interface BoxedKeeping {
  run: string
  level: Level
  branch: string
  worktree: string
  message: string
  identity: string
}

/** `unimported`: why what was committed in the box is not on the branch. */
export async function keepInBox(
  repo: Repo,
  order: BoxedKeeping,
): Promise<{ refused: Refused[]; unimported: string | null }> {
  const { level, worktree, message, identity } = order
  if (!(await mayDiffer(repo, worktree))) return { refused: [], unimported: null }
  const git = readyGit(repo, order)
  const answer = await runInside(repo, { git, level }, { message, identity, at: null })
  passStep(repo.env, 'left-committed')
  const imported = await importFrom(repo, git, level)
  const unimported = imported.refused.length === 0 ? null : imported.refused.join('; ')
  if (typeof answer !== 'string') return { refused: answer.left.map(({ path, why }) => ({ path, why })), unimported }
  return { refused: [], unimported: `what it left could not be committed in its box: ${answer}` }
}

/** Whether there may be something to commit. A file that a filter has changed seems to differ: the box finds out. */
async function mayDiffer(repo: Repo, worktree: string): Promise<boolean> {
  const workTree = openWorkTree(repo, worktree)
  const folder = privateFolder(repo, repo.env, worktree)
  if (workTree !== null && openPrivateGit(folder) !== null && mayHaveStaged(folder, workTree.gitDir)) return true
  return (await listUncommitted(withoutFilters(repo, worktree))).some((change) => !isOurs(change))
}

/** That of the run's agent. If it was not called again after a restart, the worktree may have none, or an earlier one. */
function readyGit(repo: Repo, { run, branch, worktree }: BoxedKeeping): PrivateGit {
  const folder = privateFolder(repo, repo.env, worktree)
  const git = openPrivateGit(folder)
  if (git !== null && git.about.run === run && git.about.branch === branch) return git
  const opened = git?.about.opened
  return makePrivateGit(repo, { run, branch, worktree, folder, ...(opened && { opened }) })
}
