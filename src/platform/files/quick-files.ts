/**
 * Small files, read and written without node:fs, which takes 0.9 ms to load. Only Linux has this; where a call fails, the
 * caller uses node:fs, which says why.
 */
import { withLibc } from '../libc-names.ts'

export interface QuickFiles {
  /** Null: it cannot be read, or it is not shorter than this many bytes. */
  read(path: string, most: number): Uint8Array<ArrayBuffer> | null
  /** Gives it the present time. False: it is not there, or it belongs to somebody else. */
  touch(path: string): boolean
  /**
   * Writes a new file that nobody may change, under a name that nobody else uses, and gives it its own. Both names are in one
   * folder, which is made if it is missing. False: it could not.
   */
  publish(bytes: Uint8Array, draft: string, path: string): boolean
}

/** Null on other systems. */
export function quickFiles(): QuickFiles | null {
  opened ??= { files: openFiles() }
  return opened.files
}

let opened: { files: QuickFiles | null } | undefined

// The values of asm-generic/fcntl.h, the same on x86-64 and arm64.
const O_RDONLY = 0
const O_WRONLY = 1
const O_CREAT = 0o100
const O_EXCL = 0o200
const O_CLOEXEC = 0o2000000
const AT_FDCWD = -100
/** No times: the present. */
const NOW = 0
const READ_ONLY = 0o444
/** Less what the person's umask takes away. */
const ANY_RIGHTS = 0o777

function openFiles(): QuickFiles | null {
  const { dlopen, ptr } = (Bun as unknown as { FFI: NativeCalls }).FFI
  const libc = withLibc((name) =>
    dlopen(name, {
      open: { args: ['ptr', 'i32', 'u32'], returns: 'i32' },
      read: { args: ['i32', 'ptr', 'u64'], returns: 'i32' },
      write: { args: ['i32', 'ptr', 'u64'], returns: 'i32' },
      close: { args: ['i32'], returns: 'i32' },
      rename: { args: ['ptr', 'ptr'], returns: 'i32' },
      unlink: { args: ['ptr'], returns: 'i32' },
      mkdir: { args: ['ptr', 'u32'], returns: 'i32' },
      utimensat: { args: ['i32', 'ptr', 'ptr', 'i32'], returns: 'i32' },
    }),
  )
  return libc === null ? null : callLibc(libc.symbols, ptr)
}

function callLibc(libc: Symbols, ptr: NativeCalls['ptr']): QuickFiles {
  const { open, read, write, close, rename, unlink, mkdir, utimensat } = libc
  const encoder = new TextEncoder()
  const named = (path: string): Uint8Array => encoder.encode(`${path}\0`)
  const writeAll = (file: number, bytes: Uint8Array): boolean => {
    for (let at = 0; at < bytes.length; ) {
      const written = write(file, ptr(bytes) + at, bytes.length - at)
      if (written <= 0) return false
      at += written
    }
    return true
  }
  const create = (name: Uint8Array, path: string): number => {
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    const file = open(ptr(name), flags, READ_ONLY)
    if (file >= 0) return file
    mkdir(ptr(named(path.slice(0, path.lastIndexOf('/')))), ANY_RIGHTS)
    return open(ptr(name), flags, READ_ONLY)
  }
  return {
    read: (path, most) => {
      const file = open(ptr(named(path)), O_RDONLY | O_CLOEXEC, 0)
      if (file < 0) return null
      const bytes = new Uint8Array(most)
      const length = read(file, ptr(bytes), most)
      close(file)
      return length >= 0 && length < most ? bytes.subarray(0, length) : null
    },
    touch: (path) => utimensat(AT_FDCWD, ptr(named(path)), NOW, 0) === 0,
    publish: (bytes, draft, path) => {
      const from = named(draft)
      const file = create(from, draft)
      if (file < 0) return false
      const isWritten = writeAll(file, bytes)
      const isPublished = close(file) === 0 && isWritten && rename(ptr(from), ptr(named(path))) === 0
      if (!isPublished) unlink(ptr(from))
      return isPublished
    },
  }
}

type Native = (...values: number[]) => number
type Symbols = Record<'open' | 'read' | 'write' | 'close' | 'rename' | 'unlink' | 'mkdir' | 'utimensat', Native>

/** What bun:ffi calls. That module takes 0.6 ms more, because it compiles a function around each native one. */
interface NativeCalls {
  dlopen(library: string, functions: Record<keyof Symbols, { args: string[]; returns: string }>): { symbols: Symbols }
  ptr(memory: ArrayBufferView): number
}
