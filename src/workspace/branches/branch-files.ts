/** What git's own files say about branches, without a process and without asking a remote. */
import { join } from 'node:path'
import { readTextIfThere } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readRefFiles } from '../../platform/git/ref-files.ts'
import { listRefs } from '../../platform/git/refs.ts'

/** The names of all refs below a folder such as `refs/tasks/`, without it. */
export function namesBelow(repo: Repo, folder: string): string[] {
  const refs = readRefFiles(repo, [folder]) ?? listRefs(repo, folder)
  return [...refs.keys()].map((ref) => ref.slice(folder.length))
}

/** Does a remote have the branch, according to the last fetch? Null if this clone does not fetch all branches. */
export function isTracked(repo: Repo, branch: string): boolean | null {
  if (namesBelow(repo, 'refs/remotes/').some((name) => name.slice(name.indexOf('/') + 1) === branch)) return true
  const fetched = fetchedRefs(repo)
  return fetched.every((refs) => /^\+?refs\/heads\/\*:/.test(refs)) ? false : null
}

/** What each remote in the repository's configuration is fetched for; empty if there is no remote. */
function fetchedRefs(repo: Repo): string[] {
  const config = readTextIfThere(join(repo.commonDir, 'config')) ?? ''
  const remotes = config.split(/^\s*\[/m).filter((section) => section.startsWith('remote "'))
  return remotes.map((section) => /^\s*fetch\s*=\s*(.*)$/m.exec(section)?.[1] ?? '')
}

export function hasRemote(repo: Repo): boolean {
  return fetchedRefs(repo).length > 0
}

/** The commit at which the branch was made here; null if git keeps no record of it. */
export function firstCommitOf(repo: Repo, branch: string): string | null {
  return (
    /^[0-9a-f]+ ([0-9a-f]+) /.exec(readTextIfThere(join(repo.commonDir, 'logs/refs/heads', branch)) ?? '')?.[1] ?? null
  )
}

const RENAMED = /\tBranch: renamed refs\/heads\/(\S+) to refs\/heads\/(\S+)$/gm

/** Which branch was given which name, by the records of the renamed branches and of HEAD. */
export function renamesAmong(repo: Repo, branches: readonly string[]): Map<string, string> {
  const logs = [
    ...branches.map((name) => join(repo.commonDir, 'logs/refs/heads', name)),
    join(repo.gitDir, 'logs/HEAD'),
  ]
  const names = new Map<string, string>()
  for (const log of logs) {
    const text = readTextIfThere(log) ?? ''
    for (const [, from = '', to = ''] of text.matchAll(RENAMED)) names.set(from, to)
  }
  return names
}

/** The name that a branch was given last; null if it was not renamed. */
export function renamedTo(repo: Repo, branch: string, { among }: { among: readonly string[] }): string | null {
  const names = renamesAmong(repo, among)
  const seen = new Set([branch])
  let last = names.get(branch) ?? null
  while (last !== null && names.has(last) && !seen.has(last)) {
    seen.add(last)
    last = names.get(last) ?? null
  }
  return last
}
