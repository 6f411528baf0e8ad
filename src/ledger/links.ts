/** Commits that closed tasks: finding them in history, and naming the tasks in notes on them. */
import type { Repo } from '../platform/find-repo.ts'
import { runGit, tryGit } from '../platform/git.ts'

export const TASK_NOTES = 'refs/notes/tasks'

/** Commits of `head` that `base` does not have, oldest first; `limit` takes the newest ones. */
export function commitsSince(repo: Repo, base: string, head: string, limit?: number): { oid: string; time: number }[] {
  const range = ['--timestamp', ...(limit === undefined ? [] : [`--max-count=${limit}`]), head]
  const known = tryGit(repo, ['rev-list', ...range, `^${base}`, '--'])
  // The commit we remember may be gone from this clone: then all of history is new, and times must decide.
  const output = known.code === 0 ? known.stdout : tryGit(repo, ['rev-list', ...range, '--']).stdout
  return output
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((row) => ({ time: Number(row.slice(0, row.indexOf(' '))), oid: row.slice(row.indexOf(' ') + 1) }))
    .reverse()
}

/** The first commit made on a branch after `base`. */
export function firstCommitAfter(repo: Repo, base: string, tip: string): string | null {
  const range = base === repo.zeroOid ? [tip] : [`${base}..${tip}`]
  const exit = tryGit(repo, ['rev-list', '--first-parent', '--reverse', ...range, '--'])
  return exit.stdout.toString().split('\n', 1)[0] || null
}

export function isAncestor(repo: Repo, old: string, tip: string): boolean {
  return tryGit(repo, ['merge-base', '--is-ancestor', old, tip]).code === 0
}

interface Signature {
  oid: string
  /** Author, author time and subject: what amend and rebase keep. */
  signature: string
  notes: string
}

/**
 * After a rewrite of history from `oldTip` to `newTip`: which new commit stands for which old one. Git copies notes to
 * rewritten commits where notes.rewriteRef says so; elsewhere author and author time, which a rewrite keeps, tell.
 */
export function rewrittenCommits(repo: Repo, oldTip: string, newTip: string): Map<string, string> {
  const gone = signatures(repo, newTip, oldTip)
  const fresh = signatures(repo, oldTip, newTip)
  const rewritten = new Map<string, string>()
  for (const old of gone) {
    const match =
      fresh.find((commit) => old.notes !== '' && commit.notes.includes(old.notes)) ?? only(fresh, old.signature)
    if (match) rewritten.set(old.oid, match.oid)
  }
  return rewritten
}

function only(commits: readonly Signature[], signature: string): Signature | undefined {
  const matches = commits.filter((commit) => commit.signature === signature)
  return matches.length === 1 ? matches[0] : undefined
}

function signatures(repo: Repo, without: string, within: string): Signature[] {
  const exit = tryGit(repo, [
    'log',
    '-z',
    '--no-show-signature',
    `--notes=${TASK_NOTES}`,
    '--format=%H%n%ae %at%n%N',
    `${without}..${within}`,
    '--',
  ])
  if (exit.code !== 0) return []
  return exit.stdout
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const [oid = '', signature = '', ...notes] = row.split('\n')
      return { oid, signature, notes: notes.join('\n').trim() }
    })
}

/** Adds a line to the note of a commit, once. */
export function noteTask(repo: Repo, commit: string, line: string): void {
  const present = tryGit(repo, ['notes', `--ref=${TASK_NOTES}`, 'show', commit])
  if (present.code === 0 && present.stdout.toString().split('\n').includes(line)) return
  if (tryGit(repo, ['cat-file', '-e', `${commit}^{commit}`]).code !== 0) return
  const text = present.code === 0 ? `${present.stdout.toString().trimEnd()}\n${line}\n` : `${line}\n`
  runGit(repo, ['notes', `--ref=${TASK_NOTES}`, 'add', '--force', '--file=-', commit], text)
}

/** Commits that carry a note of ours. */
export function notedCommits(repo: Repo): Set<string> {
  const exit = tryGit(repo, ['notes', `--ref=${TASK_NOTES}`, 'list'])
  return new Set(
    exit.stdout
      .toString()
      .split('\n')
      .flatMap((row) => row.split(' ')[1] ?? []),
  )
}
