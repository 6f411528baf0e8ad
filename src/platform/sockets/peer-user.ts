import { libcNames } from '../libc-names.ts'

/** The user at the other end of a unix socket, as this process sees it; null if the system does not say. */
export type ReadPeerUser = (fd: number) => number | null

/** Null where the system has no such call, and where native calls are not allowed. */
export async function openPeerUser(): Promise<ReadPeerUser | null> {
  for (const name of libcNames()) {
    try {
      return await bindPeerUser(name)
    } catch {
      // This C library has another name.
    }
  }
  return null
}

const SOL_SOCKET = 1
const SO_PEERCRED = 17

async function bindPeerUser(name: string): Promise<ReadPeerUser> {
  const { dlopen, ptr } = await import('bun:ffi')
  const { symbols } = dlopen(name, {
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  })
  return (fd) => {
    // pid, uid and gid of whoever called connect.
    const found = new Int32Array(3)
    const length = Uint32Array.of(found.byteLength)
    const failed = symbols.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ptr(found), ptr(length)) !== 0
    return failed || length[0] !== found.byteLength ? null : (found[1] as number) >>> 0
  }
}
