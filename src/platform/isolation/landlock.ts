import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { withLibc } from '../libc-names.ts'

/** Linux's Landlock: a process gives up rights for itself and all its descendants, and needs no rights to do so. */
export interface Landlock {
  /** The version of the interface: 0 if the kernel has none, or does not allow it. */
  abi(): number
  /** Refuses writes outside of these paths, signals to processes outside, and the network if it is off. For good. */
  restrict(openPaths: readonly string[], options: { network: boolean }): void
  /** No program can give this process rights that it does not have: setuid programs included. */
  refusePrivileges(): void
}

/** Null on other systems, and where native calls are not allowed. */
export async function loadLandlock(): Promise<Landlock | null> {
  const ffi = await import('bun:ffi')
  return withLibc((name) => bindLandlock(ffi, name))
}

// The same on all machines that Bun runs on.
const CREATE_RULESET = 444n
const ADD_RULE = 445n
const RESTRICT_SELF = 446n

const VERSION_FLAG = 1n
const PATH_BENEATH = 1n

const WRITE_FILE = 1n << 1n
/** Removing and making entries, from REMOVE_DIR to MAKE_SYM. */
const CHANGE_FOLDER = 0b1_1111_1111n << 4n
const REFER = 1n << 13n
const TRUNCATE = 1n << 14n
const IN_FILES = WRITE_FILE | TRUNCATE
const WRITES = IN_FILES | CHANGE_FOLDER | REFER
const TCP = 0b11n
/** Abstract sockets and signals. */
const SCOPES = 0b11n

const PR_SET_NO_NEW_PRIVS = 38
const PR_CAPBSET_DROP = 24
const PR_CAP_AMBIENT = 47
const PR_CAP_AMBIENT_CLEAR_ALL = 4
const HIGHEST_CAPABILITY = 63
const CAPABILITY_VERSION = 0x20080522

function bindLandlock({ dlopen, ptr, read }: typeof import('bun:ffi'), name: string): Landlock {
  const { symbols } = dlopen(name, {
    syscall: { args: ['i64', 'u64', 'u64', 'u64', 'u64'], returns: 'i64' },
    prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
    capset: { args: ['ptr', 'ptr'], returns: 'i32' },
    __errno_location: { args: [], returns: 'ptr' },
  })
  const errno = (): number => read.i32(symbols.__errno_location() as never, 0)
  const mustWork = (what: string, result: bigint | number): number => {
    if (Number(result) < 0) throw new Error(`${what} failed with error ${errno()}`)
    return Number(result)
  }
  const abi = (): number => Math.max(0, Number(symbols.syscall(CREATE_RULESET, 0n, 0n, VERSION_FLAG, 0n)))
  const allow = (ruleset: number, path: string): void => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // What a link leads to has its own rule.
    if (stat === undefined || stat.isSymbolicLink()) return
    const descriptor = openPathOnly(path)
    if (descriptor === null) return
    const rule = new DataView(new ArrayBuffer(12))
    rule.setBigUint64(0, stat.isDirectory() ? WRITES : IN_FILES, true)
    rule.setInt32(8, descriptor, true)
    const added = symbols.syscall(ADD_RULE, BigInt(ruleset), PATH_BENEATH, BigInt(ptr(rule.buffer)), 0n)
    closeSync(descriptor)
    mustWork(`opening ${path}`, added)
  }
  return {
    abi,
    restrict: (openPaths, { network }) => {
      const version = abi()
      const rules = BigUint64Array.of(WRITES, network || version < 4 ? 0n : TCP, version < 6 ? 0n : SCOPES)
      // An older kernel refuses fields that it does not know.
      const size = version < 4 ? 8n : version < 6 ? 16n : 24n
      const ruleset = mustWork('making rules', symbols.syscall(CREATE_RULESET, BigInt(ptr(rules)), size, 0n, 0n))
      for (const path of openPaths) allow(ruleset, path)
      mustWork('restricting this process', symbols.syscall(RESTRICT_SELF, BigInt(ruleset), 0n, 0n, 0n))
      closeSync(ruleset)
    },
    refusePrivileges: () => {
      mustWork('refusing new privileges', symbols.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
      symbols.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
      // Only root may do this, and only root has to.
      for (let number = 0; number <= HIGHEST_CAPABILITY; number++) symbols.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
      const none = symbols.capset(ptr(Uint32Array.of(CAPABILITY_VERSION, 0)), ptr(new Uint32Array(6)))
      mustWork('dropping capabilities', none)
    },
  }
}

const O_PATH = 0o10000000
const O_CLOEXEC = 0o2000000

/** Null for what has just been removed. */
function openPathOnly(path: string): number | null {
  try {
    return openSync(path, O_PATH | O_CLOEXEC | constants.O_NOFOLLOW)
  } catch {
    return null
  }
}
