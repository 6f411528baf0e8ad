import { libcNames } from '../libc-names.ts'
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
const STATX_WORDS = 64
const KINDS = new Map<number, QuickStat['kind']>([
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o020000, 'device'],
])

function anyStat(folder: number, path: string, flags: number): QuickStat | null {
  statx ??= openStatx()
  if (statx === 'none') return nodeStat(folder, path, flags)
  const words = new Uint32Array(STATX_WORDS)
  return path.includes('\0') || !statx(folder, path, flags, words) ? null : describe(words)
}

/** The fields of struct statx by their offsets in words. */
type StatxWords = Record<5 | 7 | 8 | 9 | 10 | 11 | 32 | 33 | 34 | 35, number>

function describe(words: Uint32Array): QuickStat {
  const at = words as unknown as StatxWords
  return {
    kind: KINDS.get(at[7] & 0o170000) ?? 'other',
    owner: at[5],
    size: at[10] + at[11] * 2 ** 32,
    get inode() {
      return String((BigInt(at[9]) << 32n) + BigInt(at[8]))
    },
    identity: `${at[34]}:${at[35]}:${at[9]}:${at[8]}`,
    device: `${at[32]}:${at[33]}`,
  }
}

type Statx = (folder: number, path: string, flags: number, result: Uint32Array) => boolean

let statx: Statx | 'none' | undefined

/** 'none' on other systems, and where the C library has another name or lacks the function. */
function openStatx(): Statx | 'none' {
  for (const name of libcNames()) {
    try {
      const { dlopen, ptr } = (Bun as unknown as { FFI: NativeCalls }).FFI
      const { symbols } = dlopen(name, { statx: { args: ['i32', 'ptr', 'i32', 'u32', 'ptr'], returns: 'i32' } })
      const encoder = new TextEncoder()
      return (folder, path, flags, result) =>
        symbols.statx(folder, ptr(encoder.encode(`${path}\0`)), flags, STATX_BASIC_STATS, ptr(result)) === 0
    } catch {
      // This C library has another name.
    }
  }
  return 'none'
}

/** What bun:ffi calls. That module takes 0.6 ms more, because it compiles a function around each native one. */
interface NativeCalls {
  dlopen(
    library: string,
    functions: { statx: { args: string[]; returns: string } },
  ): { symbols: { statx(...values: number[]): number } }
  ptr(memory: ArrayBufferView): number
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
