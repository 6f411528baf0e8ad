/**
 * Where a process runs. A pid identifies a process only within one PID namespace of one boot of one machine: a container
 * that uses the same repository has its own pids.
 */
import { nodeFs } from '../files/slow-modules.ts'
import { withLibc } from '../libc-names.ts'

/** Null: this system does not tell. */
export interface ProcessPlace {
  machine_id: string | null
  boot_id: string | null
  pid_namespace: string | null
}

export function thisPlace(): ProcessPlace {
  place ??= process.platform === 'linux' ? linuxPlace() : otherPlace()
  return place
}

let place: ProcessPlace | undefined

/** A container image may have no machine id, or share one with others. The boot id is the kernel's. */
function linuxPlace(): ProcessPlace {
  return {
    machine_id: firstLineOf('/etc/machine-id') ?? firstLineOf('/var/lib/dbus/machine-id'),
    boot_id: firstLineOf('/proc/sys/kernel/random/boot_id'),
    pid_namespace: orNull(() => nodeFs().readlinkSync('/proc/self/ns/pid')),
  }
}

/** macOS has no PID namespaces, and its boot session identifies the machine too. */
function otherPlace(): ProcessPlace {
  const session = orNull(() => Bun.spawnSync(['sysctl', '-n', 'kern.bootsessionuuid']).stdout.toString().trim())
  return { machine_id: null, boot_id: session || null, pid_namespace: null }
}

function firstLineOf(path: string): string | null {
  return orNull(() => nodeFs().readFileSync(path, 'utf8').trim()) || null
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/**
 * Seconds of the kernel's monotonic clock, which all processes of one boot share, and which stands still while the
 * machine is suspended. Null: this system does not offer it, or native calls are not allowed.
 */
export function monotonicSeconds(): number | null {
  readClock ??= openClock()
  return readClock()
}

let readClock: (() => number | null) | undefined

const CLOCK_MONOTONIC = 1

/** The runtime's own clocks start with the process. */
function openClock(): () => number | null {
  const { dlopen, ptr } = process.getBuiltinModule('bun:ffi' as 'module') as unknown as typeof import('bun:ffi')
  const libc = withLibc((name) => dlopen(name, { clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } }))
  if (libc === null) return () => null
  const time = new BigInt64Array(2)
  return () =>
    libc.symbols.clock_gettime(CLOCK_MONOTONIC, ptr(time)) === 0 ? Number(time[0]) + Number(time[1]) / 1e9 : null
}
