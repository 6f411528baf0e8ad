/** The objects of a ledger's commit, made without git: byte for byte those that `git fast-import` would make. */

import { bytesOfText } from '../../core/ledger/byte-text.ts'
import { auditMessage, type FileContent, type LedgerCommit } from '../../core/ledger/import-stream.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { type NewObject, named, readLooseObject } from '../../platform/git/objects/loose-objects.ts'
import type { GitObject } from '../../platform/git/objects/object-format.ts'
import { readBlobs } from '../read-blobs.ts'
import { editTree, type FileChanges, NotForLoose } from './edit-tree.ts'

/** The new objects, the commit last; null: git has to make them. */
export function buildCommit(repo: Repo, { parents, files, audit }: LedgerCommit): NewObject[] | null {
  if (parents.length > 1 || files.size >= MOST_OBJECTS || !hasOnlyTexts(files)) return null
  const made = new Map<string, NewObject>()
  const idLength = repo.zeroOid.length
  const reader = openReader(repo, parents[0] ?? null, files)
  try {
    const editing = { idLength, read: reader.read, add: (object: NewObject) => made.set(object.oid, object) }
    const tree = editTree(editing, reader.tree(), files)
    if (tree === null) return null
    const who = `${audit.identity} ${audit.time} +0000`
    const parent = parents[0] === undefined ? '' : `parent ${parents[0]}\n`
    const head = `tree ${tree}\n${parent}author ${who}\ncommitter ${who}\n\n`
    const content = bytesOfText(head + auditMessage(audit))
    const all = [...made.values(), named({ kind: 'commit', content }, idLength)]
    return all.length < MOST_OBJECTS ? all : null
  } catch (error) {
    if (error instanceof NotForLoose) return null
    throw error
  }
}

/** From this number on, git keeps the objects of an import together in a pack. */
const MOST_OBJECTS = 100

function hasOnlyTexts(files: ReadonlyMap<string, FileContent | null>): files is FileChanges {
  for (const file of files.values())
    if (file !== null && typeof file !== 'string' && !Buffer.isBuffer(file)) return false
  return true
}

interface TreeReader {
  /** The tree of the parent; null: there is no parent. */
  tree: () => string | null
  read: (path: string, oid: string) => Buffer
}

/**
 * Reads the parent and its trees: from the files in which they were written last, otherwise from git, with one process
 * for all. Whatever is read must hash to the id that names it.
 */
function openReader(repo: Repo, parent: string | null, files: FileChanges): TreeReader {
  const objects = `${repo.commonDir}/objects`
  let asked: Map<string, Buffer> | undefined
  const read = (kind: GitObject['kind'], oid: string, name: string): Buffer => {
    const loose = readLooseObject(objects, oid)
    if (loose?.kind === kind) return loose.content
    asked ??= readBlobs(repo, namesOf(parent ?? '', files))
    const content = asked.get(name)
    if (content === undefined || named({ kind, content }, oid.length).oid !== oid) throw new NotForLoose()
    return content
  }
  return {
    tree: () => (parent === null ? null : treeIn(read('commit', parent, parent))),
    read: (path, oid) => read('tree', oid, nameOf(parent ?? '', path)),
  }
}

function treeIn(commit: Buffer): string {
  const tree = /^tree ([0-9a-f]+)\n/.exec(commit.toString('latin1', 0, 80))?.[1]
  if (tree === undefined) throw new NotForLoose()
  return tree
}

/** The parent, and each folder that has a changed file in it. */
function namesOf(parent: string, files: FileChanges): string[] {
  const folders = new Set([''])
  for (const path of files.keys())
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at))
  const names = [...folders].map((folder) => nameOf(parent, folder))
  return [parent, ...names.filter((name) => !name.includes('\n'))]
}

function nameOf(parent: string, folder: string): string {
  return `${parent}:${folder}`
}
