/**
 * Brings the few objects of an ordinary commit into the real repository without a git that reads the private folder, and so
 * without a box: gza reads their files and hands them to git outside as a pack. With a fetch this took six processes and
 * 25 ms more. Whatever is not ordinary is fetched: packs, many or large objects, a history that does not continue the tip.
 */
import { deflateSync } from 'node:zlib'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { type GitObject, linksOf, packOf } from '../../../platform/git/objects/object-format.ts'
import { openQuarantine, type Quarantine } from '../../../platform/git/objects/quarantine.ts'
import { listLoose, readLoose } from '../../../platform/git/objects/read-loose.ts'
import { guarded, markedBy, tryOwnGitAsync } from '../../../platform/git/own-git.ts'
import { FETCH_ENVIRONMENT } from './fetch-work.ts'
import { gitIn, type PrivateGit } from './private-git.ts'

/** False: nothing was brought, and the commit must be fetched, which also tells what is wrong with it. */
export async function carryLoose(repo: Repo, git: PrivateGit, head: string): Promise<boolean> {
  const objects = readNew(gitIn(git.folder), head, git.about.tip)
  const quarantine = objects === null ? null : openQuarantine(repo)
  if (objects === null || quarantine === null) return false
  try {
    const isRight = await check(repo, git, { objects, head, quarantine })
    if (isRight) quarantine.accept()
    return isRight
  } finally {
    await quarantine.remove()
  }
}

const MOST_OBJECTS = 100
const MOST_BYTES = 8 * 1024 * 1024

/** The objects of the private folder that the commit needs; null: this is not the place to read them. */
function readNew(git: string, head: string, tip: string): GitObject[] | null {
  const there = listLoose(git, MOST_OBJECTS)
  if (there === null || !there.has(head)) return null
  const found = new Map<string, GitObject>()
  const wanted = [head]
  let left = MOST_BYTES
  for (let oid = wanted.pop(); oid !== undefined; oid = wanted.pop()) {
    if (found.has(oid)) continue
    const object = readLoose(git, oid, left)
    const links = object === null ? null : linksOf(object, tip.length)
    if (object === null || links === null) return null
    left -= object.content.length
    found.set(oid, object)
    if (!links.parents.every((parent) => parent === tip || there.has(parent))) return null
    // The tip of an earlier import is still here too, and the real repository has it.
    wanted.push(...[...links.parents, ...links.others].filter((each) => each !== tip && there.has(each)))
  }
  return [...found.values()]
}

interface Checked {
  objects: readonly GitObject[]
  head: string
  quarantine: Quarantine
}

/** As in a fetch, git checks each object, and that nothing is missing between the commit and the tip. */
async function check(repo: Repo, { about }: PrivateGit, { objects, head, quarantine }: Checked): Promise<boolean> {
  const { run, tip } = about
  const own = guarded(markedBy(repo, run))
  const place = { ...own, env: { ...own.env, ...FETCH_ENVIRONMENT, ...quarantine.env } }
  const pack = packOf(objects, tip.length, (content) => deflateSync(content, { level: 1 }))
  const unpacked = await tryOwnGitAsync(place, ['unpack-objects', '-q', '--strict'], pack)
  if (unpacked.code !== 0) return false
  const connected = await tryOwnGitAsync(place, ['rev-list', '--objects', '--quiet', head, `^${tip}`, '--'])
  return connected.code === 0
}
