/**
 * What git does by itself behind a commit now and then, above all packing loose objects. It is not left to agents' git:
 * there it would end with the agent, half-done, and begin anew behind the next commit, night after night. gza starts it
 * in the person's name instead, as the person's own git would; it goes on in the background.
 */
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGitAsync } from '../platform/git/git.ts'

export interface GitMaintenance {
  /** Something was done; git decides whether it was enough. */
  look(): void
  close(): Promise<void>
}

const PAUSE_MS = 5 * 60_000

export function openGitMaintenance(repo: Repo): GitMaintenance {
  let last = Number.NEGATIVE_INFINITY
  let underWay = Promise.resolve()
  return {
    look: () => {
      if (performance.now() - last < PAUSE_MS) return
      last = performance.now()
      underWay = underWay.then(() => maintain(repo)).catch(() => {})
    },
    close: () => underWay,
  }
}

/** As after a commit: not where the person has switched it off. What comes of it is nobody's failure. */
export async function maintain(repo: Repo): Promise<void> {
  const isWanted = await tryGitAsync(repo, ['config', '--type=bool', '--get', 'maintenance.auto'])
  if (isWanted.stdout.toString().trim() !== 'false')
    await tryGitAsync(repo, ['maintenance', 'run', '--auto', '--quiet'])
}
