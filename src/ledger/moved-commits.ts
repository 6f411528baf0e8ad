/** Finds where the work of a commit is now: after a squash merge, a cherry-pick or a rewrite. */
import type { Repo } from '../platform/git/find-repo.ts'
import { tryGit } from '../platform/git/git.ts'
import { readReflog } from '../platform/git/refs.ts'

/** Everything that a person has: branches, remote branches, tags and the HEAD of each work tree. */
const PEOPLES_REFS = [
  ...['refs/gza/*', 'refs/tasks/*', 'refs/tasks-archive/*', 'refs/notes/*', 'refs/stash'].map(
    (refs) => `--exclude=${refs}`,
  ),
  '--all',
]

/** Those of the names that are commits of this repository. Other programs may have put any text into a ledger. */
export function presentCommits(repo: Repo, names: readonly string[]): string[] {
  const commits = names.filter((name) => /^[0-9a-f]{40,64}$/.test(name))
  if (commits.length === 0) return []
  const input = `${commits.map((commit) => `${commit}^{commit}`).join('\n')}\n`
  const present = new Set(lines(tryGit(repo, ['cat-file', '--batch-check=%(objectname)'], input).stdout))
  return commits.filter((commit) => present.has(commit))
}

/** Those of the commits, which must exist, that no branch, tag or HEAD contains. */
export function unreachableCommits(repo: Repo, commits: readonly string[]): Set<string> {
  return commitsOutside(repo, commits, PEOPLES_REFS)
}

/** Those of the commits, which must exist, that none of the tips contains. */
export function commitsOutside(repo: Repo, commits: readonly string[], tips: readonly string[]): Set<string> {
  if (commits.length === 0) return new Set()
  const exit = tryGit(repo, ['rev-list', '--stdin', '--not', ...tips], `${commits.join('\n')}\n`)
  const outside = new Set(lines(exit.stdout))
  return new Set(commits.filter((commit) => outside.has(commit)))
}

/** The branches that work goes to: the checked-out one, the remotes' own choice, and the usual names. */
export function mainTips(repo: Repo): string[] {
  const refs = ['refs/heads/main', 'refs/heads/master', 'refs/remotes/*/HEAD']
  const found = lines(tryGit(repo, ['for-each-ref', '--format=%(objectname)', ...refs]).stdout)
  const head = tryGit(repo, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  return [...new Set([...(head.code === 0 ? lines(head.stdout) : []), ...found])]
}

/** What a branch has since it left another: the commits, and the two ends of their common change. */
export interface Stretch {
  from: string
  to: string
  commits: Set<string>
}

/** The stretches of a branch that is or was at `tip`, one for each place where it left one of the other tips. */
export function stretchesOf(repo: Repo, tip: string, others: readonly string[]): Stretch[] {
  const bases = others.flatMap((other) => lines(tryGit(repo, ['merge-base', tip, other]).stdout))
  return [...new Set(bases)]
    .filter((base) => base !== tip)
    .map((from) => ({ from, to: tip, commits: new Set(lines(tryGit(repo, ['rev-list', tip, `^${from}`]).stdout)) }))
}

/** A commit and the files that it changed. */
export interface ChangedFiles {
  oid: string
  time: number
  files: Set<string>
}

/** How many commits of the main branches are compared with other branches. */
const MOST_RECENT = 300

/** What the branches received last. */
export function recentCommits(repo: Repo, tips: readonly string[]): ChangedFiles[] {
  return tips.length === 0 ? [] : readChangedFiles(repo, ['--no-merges', `--max-count=${MOST_RECENT}`, ...tips])
}

export function changedFilesIn(repo: Repo, commits: readonly string[]): ChangedFiles[] {
  return commits.length === 0 ? [] : readChangedFiles(repo, ['--no-walk=unsorted', ...commits])
}

function readChangedFiles(repo: Repo, range: readonly string[]): ChangedFiles[] {
  const options = ['--no-show-signature', '--name-only', '--no-renames', '-z', '--format=tformat:%x01%H %ct']
  const words = tryGit(repo, ['log', ...options, ...range, '--'])
    .stdout.toString()
    .split('\0')
  const found: ChangedFiles[] = []
  for (const word of words) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it marks the beginning of a commit
    const [, oid, time] = /^\n?\u0001([0-9a-f]{40,64}) (\d+)$/.exec(word) ?? []
    if (oid !== undefined) found.push({ oid, time: Number(time), files: new Set() })
    else if (word.trim() !== '') found.at(-1)?.files.add(word.replace(/^\n/, ''))
  }
  return found
}

/** The one of the commits that contains the whole change of a stretch: a squash merge. */
export function squashOf(repo: Repo, { from, to, commits }: Stretch, among: readonly ChangedFiles[]): string | null {
  const names = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]
  const files = tryGit(repo, names).stdout.toString().split('\0').filter(Boolean)
  const isLike = ({ oid, files: others }: ChangedFiles) =>
    !commits.has(oid) && others.size === files.length && files.every((file) => others.has(file))
  const candidates = files.length === 0 ? [] : among.filter(isLike).map(({ oid }) => oid)
  return samePatch(repo, [from, to], candidates)
}

/** Another commit with the same change. */
export function copyOf(repo: Repo, commit: string): string | null {
  const parents = lines(tryGit(repo, ['rev-parse', `${commit}^@`]).stdout)
  return parents.length > 1 ? null : commitWithPatch(repo, commit)
}

/** Was the commit made by a cherry-pick in this work tree? */
export function isPicked(repo: Repo, commit: string): boolean {
  return readReflog(repo, 'HEAD').some((move) => move.commit === commit && move.message.startsWith('cherry-pick: '))
}

/**
 * Commits whose messages name one of the given commits as their origin: `git merge --squash` lists them, and
 * `git cherry-pick -x` names one.
 */
export function commitsNaming(repo: Repo, origins: readonly string[]): Map<string, string> {
  if (origins.length === 0) return new Map()
  const words = origins.flatMap((origin) => ['--grep', `commit ${origin}`])
  const options = ['log', '--no-merges', '--no-show-signature', '--fixed-strings', ...words, '--format=%H%n%B%x00']
  const exit = tryGit(repo, [...options, ...PEOPLES_REFS, '--not', ...origins])
  const named = new Map<string, string>()
  for (const record of exit.stdout.toString().split('\0')) {
    const [commit = '', ...message] = record.trimStart().split('\n')
    for (const row of message) {
      const [, origin] = /^(?:commit |\(cherry picked from commit )([0-9a-f]{40,64})\)?$/.exec(row) ?? []
      if (origin !== undefined && !named.has(origin)) named.set(origin, commit)
    }
  }
  return named
}

/** How many commits that touch the same file are compared. */
const MOST_CANDIDATES = 100

const PATCH = ['-p', '--root', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']

/** The newest commit on any branch with the same change. It must touch the same files. */
function commitWithPatch(repo: Repo, commit: string): string | null {
  const names = ['diff-tree', '-r', '-z', '--root', '--no-commit-id', '--name-only', '--no-renames', commit]
  const [path = ''] = tryGit(repo, names).stdout.toString().split('\0')
  if (path === '') return null
  const range = ['--no-merges', '--full-history', `--max-count=${MOST_CANDIDATES}`, ...PEOPLES_REFS, `^${commit}`]
  return samePatch(repo, [commit], lines(tryGit(repo, ['rev-list', ...range, '--', `:(top,literal)${path}`]).stdout))
}

/** The first of the candidates with the change of a commit, or the change between two. */
function samePatch(repo: Repo, change: readonly string[], candidates: readonly string[]): string | null {
  if (candidates.length === 0) return null
  const [wanted] = patchIds(repo, tryGit(repo, ['diff-tree', ...PATCH, ...change]).stdout)
  const diffs = tryGit(repo, ['diff-tree', '--stdin', ...PATCH], `${candidates.join('\n')}\n`).stdout
  return patchIds(repo, diffs).find(({ id }) => id === wanted?.id)?.commit ?? null
}

function patchIds(repo: Repo, diff: Buffer): { id: string; commit: string }[] {
  return lines(tryGit(repo, ['patch-id', '--stable'], diff).stdout).map((row) => {
    const [id = '', commit = ''] = row.split(' ')
    return { id, commit }
  })
}

function lines(output: Buffer): string[] {
  return output.toString().split('\n').filter(Boolean)
}
