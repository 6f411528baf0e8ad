/** Trees as git stores them: each entry is a mode, a name and the id of an object. */

export interface TreeEntry {
  /** As git writes it: `100644`, and `40000` for a folder. */
  mode: string
  /** Its bytes, one character for each (Latin-1), so that names which are not UTF-8 are kept. */
  name: string
  oid: string
}

export const FOLDER_MODE = '40000'
export const FILE_MODE = '100644'

/** `idBytes`: of an id. Null: git would write this tree in another way, or not at all. */
export function readTreeEntries(content: Buffer, idBytes: number): TreeEntry[] | null {
  const entries: TreeEntry[] = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const end = content.indexOf(0, at)
    const next = end + 1 + idBytes
    if (space < 0 || end < space || next > content.length) return null
    entries.push({
      mode: content.toString('latin1', at, space),
      name: content.toString('latin1', space + 1, end),
      oid: content.toString('hex', end + 1, next),
    })
    at = next
  }
  return areOrdinary(entries) && isSorted(entries) ? entries : null
}

export function writeTreeEntries(entries: readonly TreeEntry[]): Buffer {
  // A changed tree mostly has the order of the old one: then nothing is sorted.
  const ordered = isSorted(entries) ? entries : [...entries].sort(compareEntries)
  let length = 0
  for (const { mode, name, oid } of ordered) length += mode.length + name.length + 2 + oid.length / 2
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const { mode, name, oid } of ordered) {
    at += bytes.write(`${mode} ${name}\0`, at, 'latin1')
    at += bytes.write(oid, at, 'hex')
  }
  return bytes
}

const MODES = new Set([FILE_MODE, FOLDER_MODE, '100755', '120000', '160000'])

function areOrdinary(entries: readonly TreeEntry[]): boolean {
  for (const { mode, name } of entries) if (!MODES.has(mode) || name === '' || name.includes('/')) return false
  return true
}

/** Git allows no name twice, not even once as a file and once as a folder. */
function isSorted(entries: readonly TreeEntry[]): boolean {
  const names = new Set<string>()
  let before = ''
  // A name for each entry here, not a function: a folder of shards has a hundred.
  for (const { mode, name } of entries) {
    const next = mode === FOLDER_MODE ? `${name}/` : name
    if (names.has(name) || (names.size > 0 && before >= next)) return false
    names.add(name)
    before = next
  }
  return true
}

/** By bytes, and a folder as if its name ended with a slash. */
function compareEntries(a: TreeEntry, b: TreeEntry): number {
  const [left, right] = [sortName(a), sortName(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function sortName({ mode, name }: TreeEntry): string {
  return mode === FOLDER_MODE ? `${name}/` : name
}
