/** An agent may move its own branch and those it creates, but no branch that existed before its phase. */
import { join } from 'node:path'
import { readTextIfThere, removeFile, writeBackdated } from '../../platform/files/files.ts'
import { realPath } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { readRefsIn } from '../../platform/git/ref-files.ts'

/** Writes the list of protected branches. The environment passes it and its repository to the guard's hook. */
export function keepBranches(repo: Repo, run: string, own: string | null): Env {
  const file = listOf(repo, run)
  const branches = readRefsIn(repo, ['refs/heads/'])
  const kept = [...branches.keys()].filter((ref) => ref !== `refs/heads/${own}`)
  // Shells compare times in seconds: a setting that changes within this second must count as newer.
  writeBackdated(file, kept.map((ref) => `${ref}\n`).join(''), 2)
  return { GZA_KEPT_BRANCHES: file, GZA_KEPT_REPO: realPath(repo.commonDir), GZA_OWN_BRANCH: own ?? '' }
}

export function forgetBranches(repo: Repo, run: string): void {
  removeFile(listOf(repo, run))
}

function listOf(repo: Repo, run: string): string {
  return join(repo.commonDir, 'gza', 'guard', 'branches', run)
}

/** Empty for other repositories: tests of an agent create their own and may do anything there. */
export function keptBranches(repo: Repo, env: Env): ReadonlySet<string> {
  const { GZA_KEPT_BRANCHES: file, GZA_KEPT_REPO: place } = env
  if (!file || place !== realPath(repo.commonDir)) return new Set()
  return new Set(readTextIfThere(file)?.split('\n').filter(Boolean))
}
