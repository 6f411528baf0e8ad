import { closeSync } from 'node:fs'
import { withLibc } from '../libc-names.ts'

/** Mounts of this process's own namespace. Each one throws if the kernel refuses. */
export interface Mounts {
  /** A tree shown at another place, with the mounts in it. */
  bind(from: string, to: string): void
  /** A new file system, such as tmpfs. */
  make(kind: string, to: string, flags: number, options: string): void
  /** Of a mount, not of those in it. `flags`: those that it has and must keep. */
  setReadOnly(path: string, flags: number): void
  /** Makes a folder the root folder, and goes to another one in it. The old root folder is gone. */
  enterRoot(folder: string, cwd: string): void
  turnOnLocalhost(): void
}

export const NOSUID = 2
export const NODEV = 4
export const NOEXEC = 8
const RDONLY = 1
const REMOUNT = 32
const BIND = 4096
const REC = 16384
const DETACH = 2

const AF_INET = 2
const SOCK_DGRAM = 2
const SIOCSIFFLAGS = 0x8914
const IFF_UP = 1

/** Null on other systems, and where native calls are not allowed. */
export async function loadMounts(): Promise<Mounts | null> {
  const ffi = await import('bun:ffi')
  return withLibc((name) => bindMounts(ffi, name))
}

function bindMounts({ dlopen, ptr, read }: typeof import('bun:ffi'), name: string): Mounts {
  const { symbols } = dlopen(name, {
    mount: { args: ['ptr', 'ptr', 'ptr', 'u64', 'ptr'], returns: 'i32' },
    umount2: { args: ['ptr', 'i32'], returns: 'i32' },
    pivot_root: { args: ['ptr', 'ptr'], returns: 'i32' },
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
    __errno_location: { args: [], returns: 'ptr' },
  })
  const text = (value: string): Buffer => Buffer.from(`${value}\0`)
  const mustWork = (what: string, result: number): void => {
    if (result < 0) throw new Error(`${what} failed with error ${read.i32(symbols.__errno_location() as never, 0)}`)
  }
  const mount = (kind: string, places: { from: string; to: string }, flags: number, options: string): void => {
    const [from, to, type, data] = [text(places.from), text(places.to), text(kind), text(options)]
    mustWork(`mounting ${places.to}`, symbols.mount(ptr(from), ptr(to), ptr(type), BigInt(flags), ptr(data)))
  }
  return {
    bind: (from, to) => mount('', { from, to }, BIND | REC, ''),
    make: (kind, to, flags, options) => mount(kind, { from: kind, to }, flags, options),
    setReadOnly: (path, flags) => mount('', { from: '', to: path }, REMOUNT | BIND | RDONLY | flags, ''),
    enterRoot: (folder, cwd) => {
      const here = text('.')
      process.chdir(folder)
      mustWork('changing the root folder', symbols.pivot_root(ptr(here), ptr(here)))
      mustWork('leaving the old root folder', symbols.umount2(ptr(here), DETACH))
      process.chdir(cwd)
    },
    turnOnLocalhost: () => {
      const descriptor = symbols.socket(AF_INET, SOCK_DGRAM, 0)
      // struct ifreq: a name of 16 bytes, then the flags.
      const request = new Uint8Array(40)
      request.set(Buffer.from('lo'))
      request[16] = IFF_UP
      symbols.ioctl(descriptor, BigInt(SIOCSIFFLAGS), ptr(request))
      if (descriptor >= 0) closeSync(descriptor)
    },
  }
}
