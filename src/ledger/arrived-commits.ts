/** Commits that came to a branch from elsewhere, according to the reflogs: none of them was made here. */
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGit } from '../platform/git/git.ts'
import { readReflog } from '../platform/git/refs.ts'

/**
 * The commits that `branch` received since it was at `base`. Without reflogs nothing is known, and the set is empty.
 */
export function arrivedCommits(repo: Repo, branch: string, base: string): Set<string> {
  const moves = readReflog(repo, `refs/heads/${branch}`)
  const at = moves.findIndex(({ commit }) => commit === base)
  const tips = moves.slice(0, at === -1 ? moves.length : at).flatMap(arrivedTip)
  if (tips.length === 0) return new Set()
  const since = base === repo.zeroOid ? [] : [`^${base}`]
  const reached = tryGit(repo, ['rev-list', ...tips, ...since, '--'])
    .stdout.toString()
    .split('\n')
  const made = commitsMadeHere(repo)
  return new Set(reached.filter((oid) => oid !== '' && !made.has(oid)))
}

interface Move {
  commit: string
  message: string
}

function arrivedTip({ commit, message }: Move): string[] {
  if (isMaking(message)) return []
  const [, onto] = /\(finish\): \S+ onto ([0-9a-f]+)$/.exec(message) ?? []
  if (onto !== undefined) return [onto]
  return /: fast-forward$|^reset: |^update by push$/i.test(message) ? [commit] : []
}

/** On any branch and in this worktree: a branch made here may reach another by fast-forward. */
function commitsMadeHere(repo: Repo): Set<string> {
  const exit = tryGit(repo, ['log', '-z', '--walk-reflogs', '--format=%H %gs', '--branches', 'HEAD', '--'])
  const rows = exit.stdout.toString().split('\0').filter(Boolean)
  return new Set(rows.filter((row) => isMaking(row.slice(row.indexOf(' ') + 1))).map((row) => row.split(' ')[0] ?? ''))
}

function isMaking(message: string): boolean {
  return /^(commit|cherry-pick|revert|am)\b|^[^:]*\((pick|squash|fixup|reword|edit|continue)\):|: Merge made by /.test(
    message,
  )
}
