import { removeFile } from '../../files/files.ts'
import type { Repo } from '../find-repo.ts'
import { gitError, tryGit } from '../git.ts'
import { compressed, type NewObject } from './loose-objects.ts'
import { packOf } from './object-format.ts'

export interface KeptPack {
  /** From now on git may put its objects into another pack. */
  release(): void
}

/** The objects as a pack of their own, which no `git gc` removes until it is released. */
export function keepAsPack(repo: Repo, objects: readonly NewObject[]): KeptPack {
  const idLength = repo.zeroOid.length
  const pack = packOf(objects, idLength, compressed)
  const name = pack.toString('hex', pack.length - idLength / 2)
  const release = () => removeFile(`${repo.commonDir}/objects/pack/pack-${name}.keep`)
  try {
    indexPack(repo, pack)
    return { release }
  } catch (error) {
    release()
    throw error
  }
}

/** `git gc --prune=now` also removes the file that git is about to rename. It does so once, at its end. */
function indexPack(repo: Repo, pack: Buffer): void {
  for (let tries = 1; ; tries++) {
    const exit = tryGit(repo, ARGS, pack)
    if (exit.code === 0) return
    if (tries === MOST_TRIES) throw gitError(ARGS, exit)
  }
}

const ARGS = ['index-pack', '--stdin', '--keep=gza']
const MOST_TRIES = 5
