/** The commit of what was left uncommitted in a worktree. Without a box it runs outside, otherwise inside of it. */
import { firstLine } from '../../core/text/first-line.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit, tryOwnGit } from '../../platform/git/own-git.ts'
import { type Change, isOurs, listUncommitted, readUncommitted, showHidden } from '../../platform/git/uncommitted.ts'
import { type Refused, siftLeftovers } from './sift-leftovers.ts'

/** What the commit is made from, as `listAllLeft` has found it. */
export interface Leftovers {
  /** The commit that is checked out. */
  before: string
  changes: readonly Change[]
  message: string
}

/**
 * The commit is made from a tree, so that no hook, template, signing key or editor of the user affects it, and the branch
 * moves only if it is still where it was found.
 */
export async function commitLeftovers(
  place: GitPlace,
  { before, changes, message }: Leftovers,
): Promise<{ head: string; refused: Refused[] }> {
  if (changes.length === 0) return { head: before, refused: [] }
  const sifted = siftLeftovers(place, changes)
  const failed = stage(place, changes, new Set(sifted.map(({ path }) => path)))
  const head = commitIndex(place, before, message)
  return { head, refused: await stillLeft(place, [...sifted, ...failed]) }
}

/** What is left, including files that git was configured to ignore changes of. */
export async function listAllLeft(place: GitPlace): Promise<Change[]> {
  const { changes, hidden } = await readUncommitted(place)
  if (hidden.length === 0) return changes.filter((change) => !isOurs(change))
  showHidden(place, hidden)
  return listLeft(place)
}

async function listLeft(place: GitPlace): Promise<Change[]> {
  return (await listUncommitted(place)).filter((change) => !isOurs(change))
}

/** Sets the index to HEAD plus all changes except the refused ones; returns those that git could not add. */
function stage(place: GitPlace, changes: readonly Change[], refused: ReadonlySet<string>): Refused[] {
  const unstaged = changes
    .filter(({ path, state }) => refused.has(path) && !/^[ ?]/.test(state))
    .map(({ path }) => path)
  if (unstaged.length > 0) {
    runOwnGit(place, ['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'], list(unstaged))
  }
  const paths = changes.map(({ path }) => path).filter((path) => !refused.has(path))
  if (update(place, paths) === null) return []
  // One cannot be added, for example because its filter program is missing. The others must still be committed.
  return paths.flatMap((path) => {
    const why = update(place, [path])
    return why === null ? [] : [{ path, why }]
  })
}

function update(place: GitPlace, paths: readonly string[]): string | null {
  const exit = tryOwnGit(place, ['update-index', '--add', '--remove', '-z', '--stdin'], list(paths))
  return exit.code === 0 ? null : `git: ${firstLine(exit.stderr)}`
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('')
}

function commitIndex(place: GitPlace, before: string, message: string): string {
  const tree = runOwnGit(place, ['write-tree']).toString().trim()
  if (
    tree ===
    runOwnGit(place, ['rev-parse', `${before}^{tree}`])
      .toString()
      .trim()
  )
    return before
  const commit = runOwnGit(place, ['commit-tree', tree, '-p', before, '-F', '-'], `${message.trimEnd()}\n`)
  const head = commit.toString().trim()
  const title = firstLine(message)
  runOwnGit(place, ['update-ref', '--create-reflog', '-m', `commit: ${title}`, 'HEAD', head, before])
  return head
}

/** Reports everything that git still lists, including the unexpected. */
async function stillLeft(place: GitPlace, known: readonly Refused[]): Promise<Refused[]> {
  const reasons = new Map(known.map(({ path, why }) => [path, why]))
  return (await listLeft(place)).map(({ path, state }) => ({ path, why: reasons.get(path) ?? unforeseen(state) }))
}

function unforeseen(state: string): string {
  return state === ' M' ? 'it still differs from what was committed' : 'git did not add it'
}
