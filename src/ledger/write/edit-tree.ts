/** A tree with some files changed. Entries that gza does not know are kept as they are. */
import { bytesOfText, utf8 } from '../../core/ledger/byte-text.ts'
import { type NewObject, named } from '../../platform/git/objects/loose-objects.ts'
import {
  FILE_MODE,
  FOLDER_MODE,
  readTreeEntries,
  type TreeEntry,
  writeTreeEntries,
} from '../../platform/git/objects/tree-format.ts'

/** What each file becomes, by its path; null removes it. */
export type FileChanges = ReadonlyMap<string, string | Buffer | null>

export interface TreeEditing {
  /** How many characters an id has. */
  idLength: number
  /** The content of a folder's tree. */
  read: (path: string, oid: string) => Buffer
  /** Takes each new object, those that others name first. */
  add: (object: NewObject) => void
}

/** Git has to do it: a tree that it would write in another way, or changes that contradict each other. */
export class NotForLoose extends Error {}

/** The id of the tree after the changes; null if nothing is left in it. `oid`: null for a folder that is not there. */
export function editTree(editing: TreeEditing, oid: string | null, changes: FileChanges, path = ''): string | null {
  const entries = new Map<string, TreeEntry>()
  for (const entry of entriesAt(editing, path, oid)) entries.set(entry.name, entry)
  for (const [name, { file, below }] of byFirstName(changes)) {
    const old = entries.get(name)
    const next = below === null ? newFile(editing, file) : newFolder(editing, old, below, pathTo(path, name))
    if (next === 'same') continue
    if (next === null) entries.delete(name)
    else entries.set(name, { ...next, name })
  }
  if (entries.size === 0) return null
  return addNew(editing, { kind: 'tree', content: writeTreeEntries([...entries.values()]) }, oid)
}

function entriesAt({ idLength, read }: TreeEditing, path: string, oid: string | null): TreeEntry[] {
  if (oid === null) return []
  const entries = readTreeEntries(read(path, oid), idLength / 2)
  if (entries === null) throw new NotForLoose()
  return entries
}

type Next = Pick<TreeEntry, 'mode' | 'oid'> | null

function newFile(editing: TreeEditing, file: string | Buffer | null): Next {
  if (file === null) return null
  const content = typeof file === 'string' ? bytesOfText(file) : file
  return { mode: FILE_MODE, oid: addNew(editing, { kind: 'blob', content }, null) }
}

function newFolder(editing: TreeEditing, old: TreeEntry | undefined, below: FileChanges, path: string): Next | 'same' {
  const isFolder = old?.mode === FOLDER_MODE
  if (!isFolder && below.values().every((file) => file === null)) return 'same'
  const oid = editTree(editing, isFolder ? old.oid : null, below, path)
  return oid === null ? null : { mode: FOLDER_MODE, oid }
}

/** An object that was there before need not be written again. */
function addNew({ idLength, add }: TreeEditing, object: Omit<NewObject, 'oid'>, before: string | null): string {
  const made = named(object, idLength)
  if (made.oid !== before) add(made)
  return made.oid
}

interface Change {
  file: string | Buffer | null
  /** What changes in the folder of this name; null: it is a file. */
  below: Map<string, string | Buffer | null> | null
}

/** The changes by the first part of their paths, as bytes (tree-format.ts). */
function byFirstName(changes: FileChanges): Map<string, Change> {
  const found = new Map<string, Change>()
  for (const [path, file] of changes) {
    const slash = path.indexOf('/')
    const first = slash < 0 ? path : path.slice(0, slash)
    refuseOddName(first)
    const bytes = utf8(first)
    const name = bytes.length === first.length ? first : bytes.toString('latin1')
    const known = found.get(name)
    if (known !== undefined && (slash < 0 || known.below === null)) throw new NotForLoose()
    if (slash < 0) found.set(name, { file, below: null })
    else {
      const below = known?.below ?? new Map()
      found.set(name, { file: null, below: below.set(path.slice(slash + 1), file) })
    }
  }
  return found
}

/** Names that no git checks out. Whether they may be written is git's decision. */
function refuseOddName(name: string): void {
  if (/^(?:\.\.?|\.git|git~1|)$/i.test(name) || /[\0\n]/.test(name) || !name.isWellFormed()) throw new NotForLoose()
}

function pathTo(path: string, name: string): string {
  const text = Buffer.from(name, 'latin1').toString()
  return path === '' ? text : `${path}/${text}`
}
