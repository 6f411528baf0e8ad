/**
 * Repositories inside a working tree. To let git look into one runs what is configured there, so they are found by
 * their files alone: no git is started, and no link is followed.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspectFile } from '../inspect-file.ts'
import { readBelow } from './read-below.ts'

export interface NestedRepository {
  /** Relative to the top of the tree. */
  folder: string
  /** Git's own files, relative to the top of the tree: `FOLDER/.git`, or the folder itself if it is bare. */
  git: string
  /** Differs if it may be another repository, or if git may run something else there. */
  stamp: string
}

/** All below the top of a working tree, in no order. The tree's own `.git` is not among them. */
export function findNested(top: string): NestedRepository[] {
  const found: NestedRepository[] = []
  const open = ['']
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const isTop = folder === ''
    const names = new Set<string>()
    for (const entry of entriesIn(join(top, folder))) {
      names.add(entry.name)
      const path = isTop ? entry.name : `${folder}/${entry.name}`
      // Some file systems do not tell capital letters apart.
      const isGit = entry.name.toLowerCase() === '.git'
      if (isGit && !isTop) found.push({ folder, git: path, stamp: stampOf(top, path) })
      if (!isGit && entry.isDirectory()) open.push(path)
    }
    if (!isTop && isBare(names)) found.push({ folder, git: folder, stamp: stampOf(top, folder) })
  }
  return found
}

/** What git takes for a repository if it is called inside. */
function isBare(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'))
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // It is gone, or nobody may read it, and then git cannot either.
    return []
  }
}

/** The identity of a folder and everything in it that names programs, or the text of a link. */
function stampOf(top: string, path: string): string {
  const names = path.split('/')
  const own = readBelow(top, names, LARGEST)
  if (own.kind !== 'folder') return JSON.stringify(own)
  const [inode] = inspectFile(join(top, path))?.stamp.split(' ') ?? []
  const texts = SETTINGS.map((name) => readBelow(top, [...names, ...name.split('/')], LARGEST))
  const hooks = entriesIn(join(top, path, 'hooks')).map(({ name }) => [
    name,
    inspectFile(join(top, path, 'hooks', name))?.stamp,
  ])
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([inode, texts, hooks])).digest('hex')
}

const SETTINGS = ['config', 'config.worktree', 'commondir', 'info/attributes']
const LARGEST = 1024 * 1024
