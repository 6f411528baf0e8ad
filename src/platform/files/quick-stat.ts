import { nodeFs } from './slow-modules.ts'

/** What gza asks about a file. Links are followed. */
export interface QuickStat {
  kind: 'file' | 'folder' | 'device' | 'other'
  owner: number
  size: number
  inode: string
  /** Differs from that of another file which later has the same name. */
  identity: string
  /** The device that a device file stands for, as `major:minor`. */
  device: string
}

/** The file at a path, or null if there is none. On Linux it is asked without node:fs, which takes longer to load. */
export function quickStat(path: string): QuickStat | null {
  return anyStat(AT_FDCWD, path, 0)
}

/** The same for a link itself. */
export function quickStatOfLink(path: string): QuickStat | null {
  return anyStat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW)
}

/** The file behind a descriptor, or null if the descriptor is closed. */
export function quickStatOfDescriptor(descriptor: number): QuickStat | null {
  return anyStat(descriptor, '', AT_EMPTY_PATH)
}

// The values of linux/fcntl.h and linux/stat.h, the same on every architecture.
const AT_FDCWD = -100
const AT_SYMLINK_NOFOLLOW = 0x100
const AT_EMPTY_PATH = 0x1000
const STATX_BASIC_STATS = 0x7ff
const STATX_SIZE = 256
const KINDS = new Map<number, QuickStat['kind']>([
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o020000, 'device'],
])

function anyStat(folder: number, path: string, flags: number): QuickStat | null {
  const call = statxCall()
  if (call === null) return nodeStat(folder, path, flags)
  const bytes = new Uint8Array(STATX_SIZE)
  if (path.includes('\0') || !call(folder, `${path}\0`, flags, bytes)) return null
  const view = new DataView(bytes.buffer)
  const number = (offset: number): number => view.getUint32(offset, true)
  const inode = String(view.getBigUint64(32, true))
  return {
    kind: KINDS.get(view.getUint16(28, true) & 0o170000) ?? 'other',
    owner: number(20),
    size: Number(view.getBigUint64(40, true)),
    inode,
    identity: `${number(136)}:${number(140)}:${inode}`,
    device: `${number(128)}:${number(132)}`,
  }
}

type StatxCall = (folder: number, path: string, flags: number, result: Uint8Array) => boolean

let statx: StatxCall | null | undefined

/** Null on other systems, and where the C library has another name or lacks the function. */
function statxCall(): StatxCall | null {
  if (statx !== undefined) return statx
  if (process.platform !== 'linux') return null
  try {
    const { dlopen, ptr } = require('bun:ffi') as typeof import('bun:ffi')
    const { symbols } = dlopen('libc.so.6', { statx: { args: ['i32', 'ptr', 'i32', 'u32', 'ptr'], returns: 'i32' } })
    const encoder = new TextEncoder()
    statx = (folder, path, flags, result) =>
      symbols.statx(folder, ptr(encoder.encode(path)), flags, STATX_BASIC_STATS, ptr(result)) === 0
  } catch {
    statx = null
  }
  return statx
}

function nodeStat(folder: number, path: string, flags: number): QuickStat | null {
  try {
    const { mode, uid, size, dev, ino, rdev } = readStats(folder, path, flags)
    return {
      kind: KINDS.get(Number(mode) & 0o170000) ?? 'other',
      owner: Number(uid),
      size: Number(size),
      inode: String(ino),
      identity: `${dev}:${ino}`,
      device: `${Number(rdev) >> 8}:${Number(rdev) & 0xff}`,
    }
  } catch {
    return null
  }
}

function readStats(folder: number, path: string, flags: number): import('node:fs').BigIntStats {
  const { statSync, lstatSync, fstatSync } = nodeFs()
  if (flags === AT_EMPTY_PATH) return fstatSync(folder, { bigint: true })
  return flags === AT_SYMLINK_NOFOLLOW ? lstatSync(path, { bigint: true }) : statSync(path, { bigint: true })
}
