/** Git's own formats of objects and packs, as far as gza writes and reads them itself. */

export interface GitObject {
  kind: 'commit' | 'tree' | 'blob'
  content: Buffer
}

/** `whole`: with its header. `length`: of an id, as text. */
export function objectId(whole: Uint8Array, length: number): string {
  return hashFor(length).update(whole).digest('hex')
}

// Not node:crypto, which takes longer to load than a whole commit takes to write.
function hashFor(length: number): Bun.CryptoHasher {
  return new Bun.CryptoHasher(length === 40 ? 'sha1' : 'sha256')
}

/** An object with its header: what git hashes and compresses. */
export function wholeObject({ kind, content }: GitObject): Buffer {
  const head = `${kind} ${content.length}\0`
  const whole = Buffer.allocUnsafe(head.length + content.length)
  whole.write(head, 'latin1')
  whole.set(content, head.length)
  return whole
}

/** The object behind the header; null: it is damaged. */
export function objectOf(whole: Buffer): GitObject | null {
  const end = whole.indexOf(0)
  const [, kind, size] = /^(commit|tree|blob) (\d+)$/.exec(whole.toString('latin1', 0, Math.max(0, end))) ?? []
  const content = whole.subarray(end + 1)
  return kind === undefined || Number(size) !== content.length ? null : { kind: kind as GitObject['kind'], content }
}

/**
 * What an object names: the parents of a commit, and everything else. A submodule's commit is not of this repository. Null:
 * it is damaged.
 */
export function linksOf({ kind, content }: GitObject, length: number): { parents: string[]; others: string[] } | null {
  if (kind === 'blob') return { parents: [], others: [] }
  if (kind === 'tree') {
    const others = entriesOf(content, length / 2)
    return others && { parents: [], others }
  }
  const end = content.indexOf('\n\n')
  const lines = content.toString('latin1', 0, end < 0 ? content.length : end).split('\n')
  const named = (key: string) => lines.flatMap((line) => (line.startsWith(key) ? [line.slice(key.length)] : []))
  return { parents: named('parent '), others: named('tree ') }
}

function entriesOf(content: Buffer, bytes: number): string[] | null {
  const found: string[] = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const end = content.indexOf(0, at)
    if (space < 0 || end < space) return null
    const oid = content.toString('hex', end + 1, end + 1 + bytes)
    if (content.toString('latin1', at, space) !== SUBMODULE) found.push(oid)
    at = end + 1 + bytes
  }
  return found
}

const SUBMODULE = '160000'

/** A pack of whole objects, version 2. */
export function packOf(
  objects: readonly GitObject[],
  length: number,
  deflate: (content: Uint8Array) => Uint8Array,
): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(objects.length, 8)
  const body = Buffer.concat([
    header,
    ...objects.flatMap(({ kind, content }) => [sizeOf(KINDS[kind], content.length), deflate(content)]),
  ])
  return Buffer.concat([body, hashFor(length).update(body).digest() as Buffer])
}

const KINDS = { commit: 1, tree: 2, blob: 3 }

/** Four bits of the size with the kind, then seven at a time, the lowest first. */
function sizeOf(kind: number, size: number): Uint8Array {
  const bytes = [(kind << 4) | (size & 0x0f)]
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Uint8Array.from(bytes)
}
