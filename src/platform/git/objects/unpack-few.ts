/**
 * Git keeps what it fetches and checks as a pack, however few objects that are (`fetch.unpackLimit` has no effect with
 * `fetch.fsckObjects`). With many fetches, packs would pile up where nobody runs `git gc`.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../find-repo.ts'
import type { GitPlace } from '../git.ts'
import { tryOwnGitAsync } from '../own-git.ts'
import { openQuarantine } from './quarantine.ts'

/** The packs that are there, without their endings. */
export function listPacks(repo: Repo): Set<string> {
  const folder = packFolder(repo)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return new Set(names.flatMap((name) => (name.endsWith('.idx') ? [name.slice(0, -'.idx'.length)] : [])))
}

/**
 * Makes single objects of the small packs that were not there before and that have one of these commits. The objects are
 * there all the time: a pack goes when its objects are in the repository. `place`: as git is called there.
 */
export async function unpackFew(
  repo: Repo,
  place: GitPlace,
  { before, commits }: { before: ReadonlySet<string>; commits: readonly string[] },
): Promise<void> {
  for (const name of listPacks(repo).difference(before)) {
    const path = join(packFolder(repo), name)
    if (isSmall(path) && (await hasFew(repo, place, { path, commits }))) await unpack(repo, place, path)
  }
}

const MOST_OBJECTS = 100
const MOST_BYTES = 8 * 1024 * 1024
/** Its tables of 100 objects are smaller. */
const MOST_INDEX_BYTES = 16 * 1024

function packFolder({ commonDir }: Repo): string {
  return join(commonDir, 'objects/pack')
}

/** Another process may have removed it. */
function isSmall(path: string): boolean {
  const sizeOf = (ending: string) =>
    statSync(path + ending, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY
  const isMarked = existsSync(`${path}.keep`) || existsSync(`${path}.promisor`)
  return !isMarked && sizeOf('.idx') <= MOST_INDEX_BYTES && sizeOf('.pack') <= MOST_BYTES
}

async function hasFew(
  { zeroOid }: Repo,
  place: GitPlace,
  { path, commits }: { path: string; commits: readonly string[] },
): Promise<boolean> {
  const format = zeroOid.length === 64 ? 'sha256' : 'sha1'
  const listed = await tryOwnGitAsync(place, ['show-index', `--object-format=${format}`], readFileSync(`${path}.idx`))
  const lines = listed.stdout.toString().split('\n').filter(Boolean)
  const objects = new Set(lines.map((line) => line.split(' ')[1]))
  return lines.length < MOST_OBJECTS && commits.some((commit) => objects.has(commit))
}

/** Git leaves out what it can read elsewhere, so it reads nothing else: a pack on the disk is complete. */
async function unpack(repo: Repo, place: GitPlace, path: string): Promise<void> {
  const quarantine = openQuarantine(repo)
  if (quarantine === null) return
  try {
    const env = { ...place.env, ...quarantine.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined }
    const done = await tryOwnGitAsync({ ...place, env }, ['unpack-objects', '-q'], readFileSync(`${path}.pack`))
    if (done.code !== 0) return
    quarantine.accept()
    for (const ending of ['.idx', '.rev', '.pack']) rmSync(path + ending, { force: true })
  } finally {
    await quarantine.remove()
  }
}
