/** Commits that closed tasks: finds them in the history, and names the tasks in notes on them. */
import { isCommitId } from '../core/ledger/stored-names.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { gitError, runGit, tryGit } from '../platform/git/git.ts'
import { withIdentity } from '../platform/git/git-identity.ts'
import { readReflog } from '../platform/git/refs.ts'

export const TASK_NOTES = 'refs/notes/tasks'

export interface ListedCommit {
  oid: string
  /** When it was committed, in Unix seconds. */
  time: number
  parents: string[]
}

/** Commits of `head` that `base` does not have, oldest first; `limit` takes the newest ones. */
export function commitsSince(
  repo: Repo,
  { base, head }: { base: string; head: string },
  options: { limit?: number; firstParent?: boolean } = {},
): ListedCommit[] {
  if (base === head) return []
  const { limit, firstParent } = options
  const limits = [...(limit === undefined ? [] : [`--max-count=${limit}`]), ...(firstParent ? ['--first-parent'] : [])]
  const range = ['--timestamp', '--parents', ...limits, head]
  const known = isCommitId(base) ? tryGit(repo, ['rev-list', ...range, `^${base}`, '--']) : null
  // The recorded commit may be missing in this clone: then all of the history is new, and times must decide.
  const output = known?.code === 0 ? known.stdout : tryGit(repo, ['rev-list', ...range, '--']).stdout
  return output
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [time, oid = '', ...parents] = row.split(' ')
      return { time: Number(time), oid, parents }
    })
    .reverse()
}

/** What a branch that is now at `tip` has after `base`. */
export interface Following {
  commits: Commit[]
  /** False: the history before `base` was rewritten. */
  isStraight: boolean
  isAmended: boolean
}

export function commitsFollowing(repo: Repo, base: string, tip: string): Following {
  if (!isCommitId(base)) return { commits: [], isStraight: false, isAmended: false }
  const isFirst = base === repo.zeroOid
  const commits = readCommits(repo, ['--first-parent', '--reverse', ...(isFirst ? [tip] : [tip, `^${base}`])])
  const isStraight = isFirst || isAncestor(repo, base, tip)
  return { commits, isStraight, isAmended: !isStraight && isAmended(repo, base, tip) }
}

/**
 * The first of them that was made here, at or after `since` (Unix seconds). If the history was rewritten, the author
 * time decides, because a rewrite keeps it.
 */
export function nextCommit(
  { commits, isStraight, isAmended }: Following,
  since: number,
  isOwn: (commit: Commit) => boolean,
): string | null {
  const time = isStraight ? 'committed' : 'authored'
  const next = commits.filter((commit) => commit[time] >= since).find(isOwn)
  const amended = isAmended ? commits.slice(-1).find(isOwn) : undefined
  return (next ?? amended)?.oid ?? null
}

function isAmended(repo: Repo, old: string, tip: string): boolean {
  const [before, after] = readCommits(repo, ['--no-walk=unsorted', old, tip])
  return before !== undefined && before.parents.join() === after?.parents.join()
}

/** Throws if git cannot say: to take a failure for a no would call ordinary history rewritten. */
export function isAncestor(repo: Repo, old: string, tip: string): boolean {
  if (!isCommitId(old) || !isCommitId(tip)) return false
  if (old === tip) return true
  const args = ['merge-base', '--is-ancestor', old, tip]
  const exit = tryGit(repo, args)
  if (exit.code === 0 || exit.code === 1) return exit.code === 0
  // A commit that is gone is no ancestor. If both are there, git itself fails, and nothing is known.
  const areThere = [old, tip].every((commit) => tryGit(repo, ['cat-file', '-e', `${commit}^{commit}`]).code === 0)
  if (areThere) throw gitError(args, exit)
  return false
}

/**
 * After a rewrite of history from `oldTip` to `newTip`: which new commit replaces which old one. Git copies notes to
 * rewritten commits if notes.rewriteRef is set. Otherwise the decision uses what a rewrite keeps: author and author
 * time, and for squashed commits the resulting tree.
 */
export function rewrittenCommits(repo: Repo, oldTip: string, newTip: string): Map<string, string> {
  const gone = readCommits(repo, ['--reverse', oldTip, `^${newTip}`])
  const fresh = readCommits(repo, ['--reverse', newTip, `^${oldTip}`])
  if (gone.length === 0 || fresh.length === 0) return new Map()
  const first = firstCommitted(repo)
  const copies = fresh.filter(({ oid }) => !first.has(oid))
  const successors = gone.map(
    (old) => successorByNotes(old, fresh) ?? successorByAuthor(old, gone, copies) ?? successorByTree(old, fresh),
  )
  return new Map(
    gone.flatMap(({ oid }, i) => pairOf(oid, successors[i] ?? commonSuccessor({ gone, fresh }, successors, i))),
  )
}

/** Commits that `git commit` made without an earlier one: a time that they share with another proves nothing. */
function firstCommitted(repo: Repo): Set<string> {
  const made = readReflog(repo, 'HEAD').filter(({ message }) => /^commit( \(initial\))?: /.test(message))
  return new Set(made.map(({ commit }) => commit))
}

function pairOf(oid: string, successor: Commit | undefined): [string, string][] {
  return successor === undefined ? [] : [[oid, successor.oid]]
}

/**
 * If the commits before and after went into one, those between went there too. So did the commits before one that ends
 * with exactly the same tree, if nothing else replaced what was before it: as after `reset --soft` and a new commit.
 */
function commonSuccessor(
  { gone, fresh }: Rewrite,
  successors: readonly (Commit | undefined)[],
  at: number,
): Commit | undefined {
  const before = successors.slice(0, at).findLast((successor) => successor !== undefined)
  const next = successors.findIndex((successor, i) => i > at && successor !== undefined)
  const after = successors[next]
  if (after === undefined || before === after) return after
  const isNext = fresh.indexOf(after) === (before === undefined ? 0 : fresh.indexOf(before) + 1)
  return isNext && gone[next]?.tree === after.tree ? after : undefined
}

interface Rewrite {
  gone: readonly Commit[]
  fresh: readonly Commit[]
}

function successorByNotes(old: Commit, fresh: readonly Commit[]): Commit | undefined {
  return old.notes === '' ? undefined : fresh.find((commit) => commit.notes.includes(old.notes))
}

/** Commits of the same second look alike: then their order decides if none was left out, otherwise their subjects. */
function successorByAuthor(old: Commit, gone: readonly Commit[], fresh: readonly Commit[]): Commit | undefined {
  const isAlike = (commit: Commit) => commit.author === old.author && commit.authored === old.authored
  const [before, after] = [gone.filter(isAlike), fresh.filter(isAlike)]
  if (before.length === after.length) return after[before.indexOf(old)]
  return only(after, ({ subject }) => subject === old.subject)
}

function successorByTree(old: Commit, fresh: readonly Commit[]): Commit | undefined {
  return only(fresh, ({ tree }) => tree === old.tree)
}

function only(commits: readonly Commit[], isIt: (commit: Commit) => boolean): Commit | undefined {
  const matches = commits.filter(isIt)
  return matches.length === 1 ? matches[0] : undefined
}

export interface Commit {
  oid: string
  tree: string
  parents: string[]
  author: string
  /** Unix seconds. A rewrite keeps the first and renews the second. */
  authored: number
  committed: number
  /** The committer's name. */
  committer: string
  subject: string
  notes: string
}

function readCommits(repo: Repo, range: readonly string[]): Commit[] {
  const format = '--format=%H%n%T%n%P%n%ae%n%at%n%ct%n%cn%n%s%n%N'
  const options = ['log', '-z', '--no-show-signature', `--notes=${TASK_NOTES}`, format]
  const exit = tryGit(repo, [...options, ...range, '--'])
  if (exit.code !== 0) return []
  return exit.stdout.toString().split('\0').filter(Boolean).map(parseCommit)
}

function parseCommit(row: string): Commit {
  const [oid = '', tree = '', parents = '', author = '', authored, committed, ...texts] = row.split('\n')
  const [committer = '', subject = '', ...notes] = texts
  const times = { authored: Number(authored), committed: Number(committed) }
  return {
    oid,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author,
    ...times,
    committer,
    subject,
    notes: notes.join('\n').trim(),
  }
}

/** Adds a line to the note of a commit, once. */
export function noteTask(repo: Repo, commit: string, line: string): void {
  if (!isCommitId(commit)) return
  // Nearly every commit gets only one note: if there is none yet, one process is enough.
  const signed = withIdentity(repo)
  const added = tryGit(signed, addNote(commit), `${line}\n`)
  if (added.code === 0) return
  const present = tryGit(repo, ['notes', `--ref=${TASK_NOTES}`, 'show', commit])
  if (present.code === 0 && present.stdout.toString().split('\n').includes(line)) return
  if (tryGit(repo, ['cat-file', '-e', `${commit}^{commit}`]).code !== 0) return
  const text = present.code === 0 ? `${present.stdout.toString().trimEnd()}\n${line}\n` : `${line}\n`
  runGit(signed, ['notes', `--ref=${TASK_NOTES}`, 'add', '--force', '--file=-', commit], text)
}

/** For a commit that has no note yet. The line comes on standard input. */
export function addNote(commit: string): string[] {
  return ['notes', `--ref=${TASK_NOTES}`, 'add', '--file=-', commit]
}

/** Commits that have a note from gza. */
export function notedCommits(repo: Repo): Set<string> {
  const exit = tryGit(repo, ['notes', `--ref=${TASK_NOTES}`, 'list'])
  return new Set(
    exit.stdout
      .toString()
      .split('\n')
      .flatMap((row) => row.split(' ')[1] ?? []),
  )
}
