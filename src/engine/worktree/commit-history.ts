import { join } from 'node:path'
import { isCommitId } from '../../core/ledger/stored-names.ts'
import { UserError } from '../../core/user-error.ts'
import { fileExists } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { type GitPlace, gitError, runGit, runGitAsync, tryGit } from '../../platform/git/git.ts'
import { linksOf } from '../../platform/git/objects/object-format.ts'
import { readLoose } from '../../platform/git/objects/read-loose.ts'

/** Whether `commit` has `ancestor` in its history. */
export function contains(repo: Repo, commit: string, ancestor: string): boolean {
  if (!isCommitId(commit) || !isCommitId(ancestor)) return false
  if (commit === ancestor) return true
  const args = ['merge-base', '--is-ancestor', ancestor, commit]
  const exit = tryGit(repo, args)
  if (exit.code > 1) throw gitError(args, exit)
  return exit.code === 0
}

/** The commits of a branch after the one it started from, oldest first, and whether it has lost that one. */
export async function commitsBeyond(
  repo: Repo,
  base: string,
  head: string,
): Promise<{ commits: string[]; isRewound: boolean }> {
  if (base === head) return { commits: [], isRewound: false }
  const own = singleParents(repo, base, head)
  if (own !== null) return { commits: own.toReversed(), isRewound: false }
  const lines = (await runGitAsync(repo, ['rev-list', '--boundary', head, `^${base}`, '--'])).toString().split('\n')
  const commits = lines.filter((line) => line !== '' && !line.startsWith('-')).reverse()
  // Git lists the parents of the listed commits as boundaries. If the base is an ancestor, it is one of them.
  return { commits, isRewound: !lines.includes(`-${base}`) }
}

/** Refuses to start from commits that only another clone has. */
export function needCommits(place: GitPlace, commits: readonly string[]): void {
  const input = commits.map((commit) => `${isCommitId(commit) ? commit : 'none'}^{commit}\n`).join('')
  const lines = runGit(place, ['cat-file', '--batch-check'], input).toString().split('\n')
  const missing = commits.find((_, at) => !/^[0-9a-f]+ commit /.test(lines[at] ?? ''))
  if (missing === undefined) return
  throw new UserError('COMMIT_MISSING', `Commit ${missing} is not in this repository`, {
    hint: 'Fetch the branch that has it, then run the command again.',
  })
}

/**
 * Where the work on a branch started: after the commits it builds on (`sources`) and the merges that added them, before
 * its own first commit. It is found in the history, so that it needs no record and survives any crash.
 */
export function findBase(repo: Repo, head: string, sources: readonly string[]): string {
  const args = ['rev-list', '--first-parent', '--reverse', '--parents', head, '--not', ...sources]
  const lines = runGit(repo, args).toString().split('\n').filter(Boolean)
  for (const line of lines) {
    const [, parent = head, ...merged] = line.split(' ')
    const isGiven = merged.length > 0 && merged.every((tip) => sources.some((source) => contains(repo, source, tip)))
    if (!isGiven) return parent
  }
  return head
}

/** The commits after one commit up to another. They are remembered: with eight runs each asks for those of the others. */
export function commitsBetween(repo: Repo, from: string, to: string): readonly string[] {
  if (from === to) return []
  const key = `${from} ${to}`
  const known = between.get(key)
  if (known !== undefined) return known
  const own = singleParents(repo, from, to)
  if (own !== null) return remember(key, own)
  const { code, stdout } = tryGit(repo, ['rev-list', '--ignore-missing', to, `^${from}`, '--'])
  const commits = stdout.toString().split('\n').filter(Boolean)
  return code === 0 ? remember(key, commits) : commits
}

function remember(key: string, commits: readonly string[]): readonly string[] {
  if (between.size >= MOST_KNOWN) between.clear()
  between.set(key, commits)
  return commits
}

const between = new Map<string, readonly string[]>()
const MOST_KNOWN = 1000

/**
 * The few commits of one agent are files of their own and follow each other: then no git is needed, which each run would
 * start twice. Newest first, as git lists them. Null: git knows.
 */
function singleParents({ commonDir, env, zeroOid }: Repo, from: string, to: string): string[] | null {
  if (env.GIT_OBJECT_DIRECTORY || !isCommitId(from) || !isCommitId(to) || fileExists(join(commonDir, 'shallow')))
    return null
  const found: string[] = []
  for (let at = to; at !== from; ) {
    const object = found.length < MOST_READ ? readLoose(commonDir, at, LARGEST_COMMIT) : null
    const parents = object?.kind === 'commit' ? (linksOf(object, zeroOid.length)?.parents ?? []) : []
    const [parent] = parents
    if (parent === undefined || parents.length > 1) return null
    found.push(at)
    at = parent
  }
  return found
}

const MOST_READ = 20
const LARGEST_COMMIT = 64 * 1024
