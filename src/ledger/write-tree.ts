import type { Repo } from '../platform/find-repo.ts'
import { readLooseObject, writeLooseObject } from '../platform/loose-object.ts'

/** Bytes to put at a path; null removes what is there. */
export type TreeChanges = ReadonlyMap<string, Buffer | null>

interface TreeEntry {
  mode: string
  name: string
  oid: string
}

const FOLDER = '40000'
const FILE = '100644'

/** Thrown where only git can go on: a tree is packed, or a path is none that we would write. */
class NotLoose extends Error {}

/** The tree (`null`: none yet) with the changes made, as a new tree; null where nothing is left in it. */
export function writeTree(repo: Repo, tree: string | null, changes: TreeChanges): string | null {
  const entries = new Map(readTree(repo, tree).map((entry) => [entry.name, entry]))
  for (const [name, below] of groupByFolder(changes)) {
    const entry = changedEntry(repo, name, entries.get(name), below)
    if (entry === null) entries.delete(name)
    else entries.set(name, entry)
  }
  return entries.size === 0 ? null : writeLooseObject(repo, 'tree', treeBytes([...entries.values()]))
}

/** What changes at each name of a folder: itself (under the empty path), or what is below it. */
function groupByFolder(changes: TreeChanges): Map<string, Map<string, Buffer | null>> {
  const groups = new Map<string, Map<string, Buffer | null>>()
  for (const [path, content] of changes) {
    const [name = '', ...rest] = path.split('/')
    if (!/^[\w.-]+$/.test(name) || /^\.+$|^\.git$/i.test(name)) throw new NotLoose(path)
    groups.set(name, (groups.get(name) ?? new Map()).set(rest.join('/'), content))
  }
  return groups
}

function changedEntry(
  repo: Repo,
  name: string,
  old: TreeEntry | undefined,
  below: Map<string, Buffer | null>,
): TreeEntry | null {
  const own = below.get('')
  if (own !== undefined && below.size > 1) throw new NotLoose(name)
  if (own === null) return null
  if (own !== undefined) return { mode: FILE, name, oid: writeLooseObject(repo, 'blob', own) }
  const oid = writeTree(repo, old?.mode === FOLDER ? old.oid : null, below)
  return oid === null ? null : { mode: FOLDER, name, oid }
}

function readTree(repo: Repo, tree: string | null): TreeEntry[] {
  if (tree === null) return []
  const object = readLooseObject(repo, tree)
  if (object?.type !== 'tree') throw new NotLoose(tree)
  return parseTree(object.body, repo.zeroOid.length / 2)
}

function parseTree(body: Buffer, hashBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(0, at)
    const [mode = '', ...name] = body.toString('latin1', at, end).split(' ')
    at = end + 1 + hashBytes
    entries.push({ mode, name: name.join(' '), oid: body.toString('hex', end + 1, at) })
  }
  return entries
}

/** Git sorts a folder as if its name ended with a slash. */
function treeBytes(entries: readonly TreeEntry[]): Buffer {
  const sortName = ({ mode, name }: TreeEntry) => (mode === FOLDER ? `${name}/` : name)
  const sorted = entries.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
  )
}
