import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from './find-repo.ts'

/** What git's index says of a file, beside its content. */
export interface IndexedFile {
  path: string
  /** As git prints it: `100644`, `160000` for a submodule. */
  mode: string
  isAssumedUnchanged: boolean
  isSkipped: boolean
}

/**
 * The index of a work tree, read without a process; null where it is of a kind that only git reads: compressed, split,
 * sparse, or nothing that looks like one. git-index-format(5) has the layout.
 */
export function readIndexFile({ gitDir, zeroOid }: Repo): IndexedFile[] | null {
  try {
    const bytes = readFileSync(join(gitDir, 'index'))
    return readEntries(bytes, zeroOid.length / 2)
  } catch {
    return null
  }
}

const HEADER = 12
/** Times, device, inode, mode, owner, size. */
const STAT = 40
const MODE_AT = 24

function readEntries(bytes: Buffer, hashBytes: number): IndexedFile[] | null {
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return null
  const files: IndexedFile[] = []
  let at = HEADER
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + STAT + hashBytes
    const flags = bytes.readUInt16BE(flagsAt)
    const isExtended = (flags & 0x4000) !== 0
    const pathAt = flagsAt + (isExtended ? 4 : 2)
    const end = bytes.indexOf(0, pathAt)
    if (end < 0) return null
    files.push({
      path: bytes.toString('utf8', pathAt, end),
      mode: bytes
        .readUInt32BE(at + MODE_AT)
        .toString(8)
        .padStart(6, '0'),
      isAssumedUnchanged: (flags & 0x8000) !== 0,
      isSkipped: isExtended && (bytes.readUInt16BE(flagsAt + 2) & 0x4000) !== 0,
    })
    // One to eight zeros, so that each entry is a multiple of eight long.
    at += (end - at + 8) & ~7
  }
  return hasOnlyCaches(bytes, at, bytes.length - hashBytes) ? files : null
}

/** An extension in capitals only speeds git up. Others, `link` and `sdir`, change what the entries mean. */
function hasOnlyCaches(bytes: Buffer, from: number, end: number): boolean {
  let at = from
  while (at < end) {
    if (!/^[A-Z]/.test(bytes.toString('latin1', at, at + 1))) return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return at === end
}
