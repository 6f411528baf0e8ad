import { withLibc } from '../libc-names.ts'
import { nodeFs } from './slow-modules.ts'

/** What gza asks about a file. Links are followed. */
export interface QuickStat {
  kind: 'file' | 'folder' | 'device' | 'other'
  owner: number
  size: number
  /** Differs from that of another file which later has the same name. It ends with the halves of the inode. */
  identity: string
  /** The device of a device file, as `major:minor`; empty for other files. */
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

/** The inode of what is at a path; empty if nothing is there. */
export function inodeAt(path: string): string {
  const found = quickStat(path)
  if (found === null) return ''
  const [low = '', high = ''] = found.identity.split(':').reverse()
  return String((BigInt(high) << 32n) + BigInt(low))
}

// The values of linux/fcntl.h and linux/stat.h, the same on every architecture.
const AT_FDCWD = -100
const AT_SYMLINK_NOFOLLOW = 0x100
const AT_EMPTY_PATH = 0x1000
const STATX_BASIC_STATS = 0x7ff
const STATX_WORDS = 64
const PATH_MAX = 4096

function anyStat(folder: number, path: string, flags: number): QuickStat | null {
  statx ??= openStatx()
  if (statx === 'none') return nodeStat(folder, path, flags)
  return path.includes('\0') ? null : statx(folder, path, flags)
}

function kindOf(mode: number): QuickStat['kind'] {
  switch (mode & 0o170000) {
    case 0o100000:
      return 'file'
    case 0o040000:
      return 'folder'
    case 0o020000:
      return 'device'
    default:
      return 'other'
  }
}

/** The fields of struct statx by their offsets in words. */
type StatxWords = Record<5 | 7 | 8 | 9 | 10 | 11 | 32 | 33 | 34 | 35, number>

function describe(at: StatxWords): QuickStat {
  const kind = kindOf(at[7])
  return {
    kind,
    owner: at[5],
    size: at[10] + at[11] * 2 ** 32,
    identity: `${at[34]}:${at[35]}:${at[9]}:${at[8]}`,
    device: kind === 'device' ? `${at[32]}:${at[33]}` : '',
  }
}

type Statx = (folder: number, path: string, flags: number) => QuickStat | null

let statx: Statx | 'none' | undefined

/** 'none' on other systems, and where the C library has another name or lacks the function. */
function openStatx(): Statx | 'none' {
  const { dlopen, ptr } = (Bun as unknown as { FFI: NativeCalls }).FFI
  const libc = withLibc((name) =>
    dlopen(name, { statx: { args: ['i32', 'ptr', 'i32', 'u32', 'ptr'], returns: 'i32' } }),
  )
  return libc === null ? 'none' : callStatx(libc.symbols.statx, ptr)
}

/** All calls share their memory: from the ninth array of a kind on, the runtime takes a whole block of the heap for it. */
function callStatx(native: NativeStatx, ptr: NativeCalls['ptr']): Statx {
  const encoder = new TextEncoder()
  const name = new Uint8Array(PATH_MAX)
  const words = new Uint32Array(STATX_WORDS)
  const nameAt = ptr(name)
  const wordsAt = ptr(words)
  return (folder, path, flags) => {
    const { read, written } = encoder.encodeInto(path, name)
    // Too long for the system, with the zero at its end.
    if (read < path.length || written === PATH_MAX) return null
    name[written] = 0
    const found = native(folder, nameAt, flags, STATX_BASIC_STATS, wordsAt) === 0
    return found ? describe(words as unknown as StatxWords) : null
  }
}

type NativeStatx = (...values: number[]) => number

/** What bun:ffi calls. That module takes 0.6 ms more, because it compiles a function around each native one. */
interface NativeCalls {
  dlopen(
    library: string,
    functions: { statx: { args: string[]; returns: string } },
  ): { symbols: { statx: NativeStatx } }
  ptr(memory: ArrayBufferView): number
}

function nodeStat(folder: number, path: string, flags: number): QuickStat | null {
  try {
    const { mode, uid, size, dev, ino, rdev } = readStats(folder, path, flags)
    const kind = kindOf(Number(mode))
    return {
      kind,
      owner: Number(uid),
      size: Number(size),
      identity: `${dev}:${ino >> 32n}:${ino & 0xffffffffn}`,
      device: kind === 'device' ? `${Number(rdev) >> 8}:${Number(rdev) & 0xff}` : '',
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
