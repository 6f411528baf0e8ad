import { withLibc } from '../libc-names.ts'

/** Calls of Linux's C library that the runtime does not offer. */
export interface Libc {
  /** Orphaned descendants become children of this process instead of init's. */
  becomeSubreaper(): boolean
  /** Other processes of the same user, except root's, can no longer read the environment and the memory of this one. */
  hide(): void
  /** Takes a dead child's exit status, so that it is no longer a zombie. */
  reap(pid: number): void
  /** Both ends are closed in children unless passed to them. */
  makePipe(): { read: number; write: number } | null
  /** Runs `act` under a soft limit on real-time CPU microseconds, which its child processes keep. */
  withRealtimeLimit<T>(limit: bigint, act: () => T): T
}

/** Null on other systems, and where native calls are not allowed. Loaded on first use: few commands need it. */
export function loadLibc(): Promise<Libc | null> {
  loaded ??= openLibc()
  return loaded
}

let loaded: Promise<Libc | null> | undefined

async function openLibc(): Promise<Libc | null> {
  const ffi = await import('bun:ffi')
  return withLibc((name) => bindLibc(ffi, name))
}

const PR_SET_DUMPABLE = 4
const PR_SET_CHILD_SUBREAPER = 36
const WNOHANG = 1
const O_CLOEXEC = 0o2000000
const RLIMIT_RTTIME = 15

function bindLibc({ dlopen, ptr }: typeof import('bun:ffi'), name: string): Libc {
  const { symbols } = dlopen(name, {
    prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
    waitpid: { args: ['i32', 'ptr', 'i32'], returns: 'i32' },
    pipe2: { args: ['ptr', 'i32'], returns: 'i32' },
    prlimit: { args: ['i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  })
  return {
    becomeSubreaper: () => symbols.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0,
    hide: () => {
      symbols.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    },
    reap: (pid) => {
      symbols.waitpid(pid, null, WNOHANG)
    },
    makePipe: () => {
      const ends = new Int32Array(2)
      if (symbols.pipe2(ptr(ends), O_CLOEXEC) !== 0) return null
      return { read: ends[0] as number, write: ends[1] as number }
    },
    withRealtimeLimit: (limit, act) => {
      const before = new BigUint64Array(2)
      const isKnown = symbols.prlimit(0, RLIMIT_RTTIME, null, ptr(before)) === 0
      const during = BigUint64Array.of(limit, before[1] as bigint)
      const isSet = isKnown && symbols.prlimit(0, RLIMIT_RTTIME, ptr(during), null) === 0
      try {
        return act()
      } finally {
        if (isSet) symbols.prlimit(0, RLIMIT_RTTIME, ptr(before), null)
      }
    },
  }
}
