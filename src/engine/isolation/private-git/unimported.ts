import type { Repo } from '../../../platform/git/find-repo.ts'
import { readRefsIn } from '../../../platform/git/ref-files.ts'
import { readGiven, realRefs } from './given-refs.ts'
import { importedCommit, keptRef, type PrivateGit } from './private-git.ts'
import { type PrivateState, readPrivateState } from './private-state.ts'

/** A commit of the private folder that no ref of the real repository has. */
export interface LooseEnd {
  /** What to fetch: a ref, `HEAD`, or an object id. */
  source: string
  /** What it is kept as. */
  name: string
  oid: string
}

/** What an agent has committed elsewhere than on its branch. */
export function looseEnds(repo: Repo, { folder, about }: PrivateGit, state: PrivateState): LooseEnd[] {
  const own = `refs/heads/${about.branch}`
  const { head } = state
  const found = [
    ...[...state.refs].flatMap(([ref, oid]) => (isEnd(ref, own) ? [{ source: ref, name: ref.slice(5), oid }] : [])),
    ...(head?.kind === 'detached' ? [{ source: 'HEAD', name: 'HEAD', oid: head.oid }] : []),
    ...state.stash.map((oid) => ({ source: oid, name: 'stash', oid })),
  ].filter(({ oid }) => !oid.startsWith('ref:'))
  // Most private folders have nothing new: then the real refs are not read again.
  const given = new Set([...readGiven(folder).values(), about.tip])
  const fresh = found.filter(({ oid }) => !given.has(oid))
  if (fresh.length === 0) return []
  const known = new Set([...realRefs(repo).values(), ...keptCommits(repo, about.run), state.refs.get(own)])
  return fresh.filter(({ oid }) => !known.has(oid))
}

/** The prompts of its commits are imported with them (import-notes.ts). */
function isEnd(ref: string, own: string): boolean {
  return ref !== own && ref !== PROMPT_NOTES
}

export const PROMPT_NOTES = 'refs/notes/prompt'

/** Why a private folder must not be removed; null: the real repository has everything that it has. */
export function whyNeeded(repo: Repo, git: PrivateGit): 'unfinished' | 'unimported' | null {
  const { branch, run } = git.about
  if (branch === null) return null
  const state = readPrivateState(git.folder)
  const own = state.refs.get(`refs/heads/${branch}`)
  const isImported =
    own === undefined ||
    own === importedCommit(git.about) ||
    own.startsWith('ref:') ||
    keptCommits(repo, run).includes(own)
  if (!isImported || state.odd.length > 0 || looseEnds(repo, git, state).length > 0) return 'unimported'
  return state.unfinished !== null || state.hasModules ? 'unfinished' : null
}

function keptCommits(repo: Repo, run: string): string[] {
  return [...readRefsIn(repo, [keptRef(run, '')]).values()]
}
