import { join } from 'node:path'
import { readTextIfThere, writeText } from '../../../platform/files/files.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { type RefValues, readRefValues } from '../../../platform/git/ref-files.ts'
import { readValueLines } from '../../../platform/git/refs.ts'
import { gitIn, givenIn } from './private-git.ts'

/** What an agent sees of the real repository's refs. Ledgers and gza's own refs are not among them. */
const PLACES = ['refs/heads/', 'refs/tags/', 'refs/remotes/', 'refs/notes/']

export function realRefs(repo: Repo): RefValues {
  return readRefValues(repo, PLACES)
}

/** Writes them directly: `git update-ref --stdin` took 4.3 seconds for 5,000 tags. */
export function writeRefs(folder: string, refs: RefValues): void {
  const text = [...refs].flatMap(([ref, value]) => (value.startsWith('ref:') ? [] : [`${value} ${ref}\n`])).join('')
  writeText(givenIn(folder), text)
  // Without a header, which would promise sorted names and peeled tags.
  writeText(join(gitIn(folder), 'packed-refs'), text)
  for (const [ref, value] of refs) {
    if (value.startsWith('ref:')) writeText(join(gitIn(folder), ref), `ref: ${value.slice('ref:'.length)}\n`)
  }
}

/** The refs that the private folder started with. */
export function readGiven(folder: string): RefValues {
  return readValueLines(readTextIfThere(givenIn(folder)) ?? '')
}
