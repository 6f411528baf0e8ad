/** Which refs a remote has now. Tracking refs do not tell: a single-branch clone has one of them, whatever the remote has. */
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { runGit } from '../platform/git/git.ts'
import { askRemote, patience, withoutQuestions } from '../platform/git/remote-git.ts'

/** The branches of all remotes, without `refs/heads/`. Throws if one of them cannot be asked. */
export async function branchesOnRemotes(repo: Repo): Promise<Set<string>> {
  const branches = new Set<string>()
  for (const remote of remotesOf(repo)) {
    const refs = await refsOnRemote(repo, remote, 'refs/heads/*')
    for (const ref of refs.keys()) branches.add(ref.slice('refs/heads/'.length))
  }
  return branches
}

export function remotesOf(repo: Repo): string[] {
  return runGit(repo, ['remote']).toString().split('\n').filter(Boolean)
}

/** The refs of a remote that match, with their commits. */
export async function refsOnRemote(repo: Repo, remote: string, ...patterns: string[]): Promise<Map<string, string>> {
  const exit = await askRemote(repo, ['ls-remote', '--quiet', remote, ...patterns], patience(repo))
  if (exit.code !== 0 || exit.silent !== null) throw notAnswered(remote, exit.stderr)
  const rows = exit.stdout.toString().split('\n').filter(Boolean)
  return new Map(rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.slice(0, row.indexOf('\t'))]))
}

/** At most: nobody asked for this. */
const BRIEFLY = { seconds: 3, of: 'all' } as const

/** How many ledgers a remote has; null if it did not answer soon, or wants a password. */
export async function countLedgersOn(repo: Repo, remote: string): Promise<number | null> {
  const exit = await askRemote(withoutQuestions(repo), ['ls-remote', '--quiet', remote, 'refs/tasks/*'], BRIEFLY)
  if (exit.code !== 0 || exit.silent !== null) return null
  return exit.stdout.toString().split('\n').filter(Boolean).length
}

function notAnswered(remote: string, stderr: string): UserError {
  const why = stderr.split('\n').find((line) => /^(fatal|error):/.test(line)) ?? 'it did not respond'
  return new UserError('REMOTE_UNREACHABLE', `${remote} cannot be asked which branches it has: ${why}`, {
    hint: `Nothing was changed. A branch that is missing here may still be there. Check that git ls-remote ${remote} works.`,
  })
}
