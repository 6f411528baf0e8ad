import { withLibc } from '../libc-names.ts'

/** The user at the other end of a unix socket, as this process sees it; null if the system does not say. */
export type ReadPeerUser = (fd: number) => number | null

/** Null where the system has no such call, and where native calls are not allowed. */
export async function openPeerUser(): Promise<ReadPeerUser | null> {
  const read = await openPeer()
  return read && ((fd) => read(fd)?.user ?? null)
}

/** The same with the process that called connect. */
export async function openPeer(): Promise<ReadPeer | null> {
  const ffi = await import('bun:ffi')
  return withLibc((name) => bindPeer(ffi, name))
}

type ReadPeer = (fd: number) => { pid: number; user: number } | null

const SOL_SOCKET = 1
const SO_PEERCRED = 17

function bindPeer({ dlopen, ptr }: typeof import('bun:ffi'), name: string): ReadPeer {
  const { symbols } = dlopen(name, {
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  })
  return (fd) => {
    // pid, uid and gid of the process that called connect.
    const found = new Int32Array(3)
    const length = Uint32Array.of(found.byteLength)
    const failed = symbols.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ptr(found), ptr(length)) !== 0
    if (failed || length[0] !== found.byteLength) return null
    return { pid: found[0] as number, user: (found[1] as number) >>> 0 }
  }
}
