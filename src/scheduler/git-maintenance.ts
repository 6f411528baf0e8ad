/**
 * Runs git's automatic maintenance, mainly the packing of loose objects. An agent's git does not run it, because it
 * would be killed with the agent and start again after each commit. gza runs it as the person's own git would, in the
 * background.
 */
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGitAsync } from '../platform/git/git.ts'

export interface GitMaintenance {
  /** Called when commits were made; git decides whether maintenance is due. */
  maybeStart(): void
  close(): Promise<void>
}

const PAUSE_MS = 5 * 60_000

export function openGitMaintenance(repo: Repo): GitMaintenance {
  let last = Number.NEGATIVE_INFINITY
  let underWay = Promise.resolve()
  return {
    maybeStart: () => {
      if (performance.now() - last < PAUSE_MS) return
      last = performance.now()
      underWay = underWay.then(() => maintain(repo)).catch(() => {})
    },
    close: () => underWay,
  }
}

/** As after a commit, unless the person has switched it off. A failure of it is ignored. */
export async function maintain(repo: Repo): Promise<void> {
  const isWanted = await tryGitAsync(repo, ['config', '--type=bool', '--get', 'maintenance.auto'])
  if (isWanted.stdout.toString().trim() !== 'false')
    await tryGitAsync(repo, ['maintenance', 'run', '--auto', '--quiet'])
}
