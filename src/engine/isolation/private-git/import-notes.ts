/** The prompts that an agent has noted on its commits (`git commit --prompt`) come with them. */

import type { Repo } from '../../../platform/git/find-repo.ts'
import { tryGit } from '../../../platform/git/git.ts'
import { identityOf } from '../../../platform/git/git-identity.ts'
import { placeAt, tryOwnGit } from '../../../platform/git/own-git.ts'
import { nameOf } from './fetch-work.ts'
import { readGiven } from './given-refs.ts'
import { type About, incomingRef, type PrivateGit } from './private-git.ts'
import type { PrivateState } from './private-state.ts'
import { type LooseEnd, PROMPT_NOTES } from './unimported.ts'

/** Null: there are no new ones. */
export function notesOf({ folder }: PrivateGit, { refs }: PrivateState): LooseEnd | null {
  const oid = refs.get(PROMPT_NOTES)
  if (oid === undefined || oid.startsWith('ref:') || readGiven(folder).get(PROMPT_NOTES) === oid) return null
  return { source: PROMPT_NOTES, name: PROMPT_NOTES.slice(5), oid }
}

/** Only the notes on commits that are new, so that no other note can be changed. `end`: as fetched. */
export function importNotes(repo: Repo, { run, tip }: About, end: LooseEnd): void {
  const commits = new Set(linesOf(repo, ['rev-list', `--max-count=${MOST}`, `^${tip}`, incomingRef(run, 'branch')]))
  const notes = linesOf(repo, ['ls-tree', '-r', incomingRef(run, nameOf(end))])
  const place = placeAt(repo, repo.dir, identityOf(repo))
  for (const line of notes) {
    const [, blob, path] = /^100644 blob ([0-9a-f]+)\t([0-9a-f/]+)$/.exec(line) ?? []
    const commit = path?.replaceAll('/', '')
    if (blob === undefined || commit === undefined || !commits.has(commit)) continue
    tryOwnGit(place, ['notes', `--ref=${PROMPT_NOTES}`, 'add', '-f', '-C', blob, commit])
  }
}

const MOST = 1000

function linesOf(repo: Repo, args: readonly string[]): string[] {
  const { code, stdout } = tryGit(repo, [...args])
  return code === 0 ? stdout.toString().split('\n').filter(Boolean) : []
}
