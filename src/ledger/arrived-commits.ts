/** Which commits of a branch were made here, and which came from elsewhere, according to the reflogs. */
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGit } from '../platform/git/git.ts'
import { type RefMove, readReflog } from '../platform/git/refs.ts'

/** What decides whether a commit was made here. */
interface CommitParents {
  oid: string
  parents: readonly string[]
}

export interface Origins {
  /** Was the commit of the branch itself made here? A merge counts only if it brought in a commit that was. */
  isOwn: (commit: CommitParents) => boolean
  /** The commits made here that a merge brought in, oldest first. */
  mergedOwn: (commit: CommitParents) => string[]
}

/**
 * The origins of the commits that `ref` received since it was at `base`. `ref` is a branch, or HEAD. Without reflogs
 * nothing is known, and every commit counts as made here. Starts no process until a commit arrived or is a merge.
 */
export function originsOf(repo: Repo, ref: string, base: string): Origins {
  const made = once(() => commitsMadeHere(repo))
  const arrived = once(() => arrivedCommits(repo, { ref, base }, made))
  const mergedOwn = ({ oid, parents: [first] }: CommitParents) => {
    const brought = listCommits(repo, ['--reverse', oid, `^${first}`]).filter((commit) => commit !== oid)
    return made().size === 0 ? brought : brought.filter((commit) => made().has(commit))
  }
  const isOwn = (commit: CommitParents) =>
    !arrived().has(commit.oid) && (commit.parents.length < 2 || mergedOwn(commit).length > 0)
  return { isOwn, mergedOwn }
}

function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined
  return () => {
    known ??= { value: read() }
    return known.value
  }
}

/** The commit that was made when this work tree's HEAD was at `base`, at or after `since` (Unix seconds). */
export function madeAfter(repo: Repo, base: string, since: number): string | null {
  const moves = readReflog(repo, 'HEAD')
  const at = moves.findLastIndex(
    (move, i) => move.at >= since && moves[i + 1]?.commit === base && isMaking(move.message),
  )
  return moves[at]?.commit ?? null
}

/** The commits that came with a landing, a pull or a reset. */
function arrivedCommits(
  repo: Repo,
  { ref, base }: { ref: string; base: string },
  made: () => ReadonlySet<string>,
): Set<string> {
  const log = readReflog(repo, ref)
  const at = log.findIndex(({ commit }) => commit === base)
  const moves = log.slice(0, at === -1 ? log.length : at)
  const reached = (tips: readonly string[]) =>
    tips.length === 0 ? [] : listCommits(repo, [...new Set(tips), ...(base === repo.zeroOid ? [] : [`^${base}`])])
  const landed = reached(moves.filter(isLanding).map(({ commit }) => commit))
  const received = reached(moves.flatMap(arrivedTip))
  return new Set([...landed, ...received.filter((oid) => !made().has(oid))])
}

/** A landing of gza brings in the work of one task, also if the agent committed it in this repository. */
function isLanding({ message }: RefMove): boolean {
  return /^gza: |^merge [0-9a-f]{40,}: Fast-forward$/.test(message)
}

function listCommits(repo: Repo, range: readonly string[]): string[] {
  return tryGit(repo, ['rev-list', '--ignore-missing', ...range, '--'])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
}

function arrivedTip({ commit, message }: RefMove): string[] {
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
