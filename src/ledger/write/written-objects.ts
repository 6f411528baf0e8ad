/**
 * The objects that this process has written itself for a commit, until a ref names it. A `git gc` beside it may remove them
 * before that: it looks at the refs first, and removes what they did not name then.
 */
import { readSmallFile } from '../../platform/files/read-small-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { KeptPack } from '../../platform/git/objects/kept-pack.ts'
import { areLoose, type NewObject, writeLooseObjects } from '../../platform/git/objects/loose-objects.ts'
import { machineName } from '../../platform/processes/machine.ts'

const written = new WeakMap<Repo, Map<string, NewObject[]>>()

export function rememberWritten(repo: Repo, commit: string, objects: NewObject[]): void {
  const all = written.get(repo) ?? new Map<string, NewObject[]>()
  written.set(repo, all.set(commit, objects))
}

/**
 * Moves refs to commits whose objects this process may have written (`move`: whether all were as expected). Should git
 * remove some of them meanwhile, they are written again as a pack. No `git gc` that began before the refs moved removes
 * a pack which came later, or one that is marked to be kept.
 */
export function withWritten(repo: Repo, commits: readonly (string | null)[], move: () => boolean): boolean {
  const own = written.get(repo)
  const objects = commits.flatMap((commit) => own?.get(commit ?? '') ?? [])
  if (objects.length === 0) return move()
  const folder = `${repo.commonDir}/objects`
  try {
    const isMoved = moveOrKeep(repo, objects, move)
    if (isMoved && (!areLoose(folder, objects) || isCollecting(repo))) putBack(repo, objects)
    return isMoved
  } finally {
    for (const commit of commits) own?.delete(commit ?? '')
  }
}

/** The ledger has the change, so it must not fail because of the pack: as files, all of them are there now. */
function putBack(repo: Repo, objects: readonly NewObject[]): void {
  writeLooseObjects(`${repo.commonDir}/objects`, objects)
  try {
    keep(repo, objects).release()
  } catch (error) {
    if (!areLoose(`${repo.commonDir}/objects`, objects)) throw error
  }
}

function moveOrKeep(repo: Repo, objects: readonly NewObject[], move: () => boolean): boolean {
  try {
    return move()
  } catch (error) {
    // Git moves no ref to a commit that is gone.
    if (areLoose(`${repo.commonDir}/objects`, objects)) throw error
  }
  const pack = keep(repo, objects)
  try {
    return move()
  } finally {
    pack.release()
  }
}

/** `git gc` writes its process and host into this file while it works. One that was killed leaves it. */
function isCollecting({ commonDir }: Repo): boolean {
  const [, pid, host] = /^(\d+) (.*)/.exec(readSmallFile(`${commonDir}/gc.pid`) ?? '') ?? []
  return pid !== undefined && (host !== machineName() || isAlive(Number(pid)))
}

// Loaded only while git collects garbage.
function isAlive(pid: number): boolean {
  const {
    processStartTime,
  }: typeof import('../../platform/processes/process-identity.ts') = require('../../platform/processes/process-identity.ts')
  return processStartTime(pid) !== null
}

function keep(repo: Repo, objects: readonly NewObject[]): KeptPack {
  const {
    keepAsPack,
  }: typeof import('../../platform/git/objects/kept-pack.ts') = require('../../platform/git/objects/kept-pack.ts')
  return keepAsPack(repo, objects)
}
