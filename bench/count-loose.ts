import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Loose {
  objects: number
  /** As `ls` counts: the bytes in the files. */
  apparent: number
  /** As `du` counts: whole blocks of the file system. */
  onDisk: number
}

/** The loose objects of a repository. */
export function countLoose(dir: string): Loose {
  const objects = join(dir, '.git/objects')
  const files = readdirSync(objects)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) => readdirSync(join(objects, name)).map((rest) => statSync(join(objects, name, rest))))
  return {
    objects: files.length,
    apparent: files.reduce((sum, { size }) => sum + size, 0),
    onDisk: files.reduce((sum, { blocks }) => sum + blocks * 512, 0),
  }
}
