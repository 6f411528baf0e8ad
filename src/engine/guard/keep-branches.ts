/** Branches that were there before an agent's phase are other people's: the agent moves its own and those it makes. */
import { join } from 'node:path'
import { backdate, readTextIfThere, removeFile, writeText } from '../../platform/files/files.ts'
import { realPath } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { readRefFiles } from '../../platform/git/ref-files.ts'
import { listRefs } from '../../platform/git/refs.ts'

/** Writes down which branches are kept; the environment tells the guard's hook, and for which repository that holds. */
export function keepBranches(repo: Repo, run: string, own: string | null): Env {
  const file = listOf(repo, run)
  const branches = readRefFiles(repo, ['refs/heads/']) ?? listRefs(repo, 'refs/heads/')
  const kept = [...branches.keys()].filter((ref) => ref !== `refs/heads/${own}`)
  writeText(file, kept.map((ref) => `${ref}\n`).join(''))
  // Shells compare times by the second: settings that are changed within this one must count as younger.
  backdate(file, 2)
  return { GZA_KEPT_BRANCHES: file, GZA_KEPT_REPO: realPath(repo.commonDir), GZA_OWN_BRANCH: own ?? '' }
}

export function forgetBranches(repo: Repo, run: string): void {
  removeFile(listOf(repo, run))
}

function listOf(repo: Repo, run: string): string {
  return join(repo.commonDir, 'gza', 'guard', 'branches', run)
}

/** An agent's tests make repositories of their own, and do there as they like. */
export function keptBranches(repo: Repo, env: Env): ReadonlySet<string> {
  const { GZA_KEPT_BRANCHES: file, GZA_KEPT_REPO: place } = env
  if (!file || place !== realPath(repo.commonDir)) return new Set()
  return new Set(readTextIfThere(file)?.split('\n').filter(Boolean))
}
