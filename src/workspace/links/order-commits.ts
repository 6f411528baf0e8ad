import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'

/** Parents before children, otherwise the earlier commit first. Commits that git no longer has come first. */
export function orderCommits(repo: Repo, commits: readonly string[]): string[] {
  const about = tryGit(repo, ['rev-list', '--ignore-missing', '--no-walk', '--parents', '--timestamp', ...commits])
  const known = about.stdout.toString().trimEnd().split('\n').map(readLine)
  const byTime = known.filter(({ commit }) => commits.includes(commit)).sort((a, b) => a.time - b.time)
  const parents = new Map(byTime.map((each) => [each.commit, each.parents]))
  const ordered = new Set(commits.filter((commit) => !parents.has(commit)))
  const add = (commit: string): void => {
    if (!parents.has(commit) || ordered.has(commit)) return
    for (const parent of parents.get(commit) ?? []) add(parent)
    ordered.add(commit)
  }
  for (const { commit } of byTime) add(commit)
  return [...ordered]
}

/** `1794949846 2dcec62b… 03bb91a5…`: the time, the commit, its parents. */
function readLine(line: string): { time: number; commit: string; parents: string[] } {
  const [time, commit = '', ...parents] = line.split(' ')
  return { time: Number(time), commit, parents }
}
