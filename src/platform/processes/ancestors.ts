import { nodeFs } from '../files/slow-modules.ts'
import type { ProcessStart } from './process-identity.ts'

/**
 * The processes above this one, its parent first. They stay its ancestors whatever it did to its environment, session
 * or process group. An orphan's parent is the supervisor, which is a subreaper on Linux.
 */
export function ancestors(): ProcessStart[] {
  return lineOf(process.ppid)
}

/** A process and those above it. */
export function lineOf(pid: number): ProcessStart[] {
  return walk(pid, process.platform === 'linux' ? readProc : readPs())
}

/** The values that the nearest process above this one has for these variables; nothing where that cannot be seen. */
export function ancestorVariables(names: readonly string[]): Record<string, string> {
  for (const { pid } of process.platform === 'linux' ? ancestors() : []) {
    const pairs = variablesOf(pid).filter(([name]) => names.includes(name))
    if (pairs.length > 0) return Object.fromEntries(pairs)
  }
  return {}
}

function variablesOf(pid: number): [name: string, value: string][] {
  try {
    const text = nodeFs().readFileSync(`/proc/${pid}/environ`, 'utf8')
    return text.split('\0').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  } catch {
    return []
  }
}

/** Does a terminal control this process? True where the system does not tell. */
export function hasTerminal(): boolean {
  const own = readOwn()
  return own === null || own.terminal !== 0
}

/**
 * When the oldest process above this one started, in ticks since boot; null if there is none. Those that take in orphans
 * do not count: everybody may come to be below them. Read by the names of /proc alone, because an agent can call gza from
 * a PID namespace of its own.
 */
export function oldestAncestor(): bigint | null {
  const starts: bigint[] = []
  for (let pid = readOwn()?.parent ?? 0; pid > 1 && starts.length < LONGEST; ) {
    const entry = readProc(pid)
    if (entry === null) break
    if (!TAKES_IN_ORPHANS.test(entry.name)) starts.push(BigInt(entry.start_time))
    pid = entry.parent
  }
  return starts.reduce<bigint | null>((oldest, start) => (oldest === null || start < oldest ? start : oldest), null)
}

const TAKES_IN_ORPHANS = /^(systemd|init|tini|dumb-init|docker-init|catatonit|conmon|containerd-shim.*|s6-.*|runsv.*)$/

function readOwn(): { parent: number; terminal: number } | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = nodeFs().readFileSync('/proc/self/stat', 'utf8')
    const [, parent, , , terminal] = fieldsOf(stat).map(Number)
    return { parent: parent ?? 0, terminal: terminal ?? 0 }
  } catch {
    return null
  }
}

type Find = (pid: number) => { parent: number; start_time: string } | null

/** More than any real chain: a table that changes meanwhile must not make this endless. */
const LONGEST = 200

function walk(first: number, find: Find): ProcessStart[] {
  const found: ProcessStart[] = []
  for (let pid = first; pid > 0 && found.length < LONGEST; ) {
    const entry = find(pid)
    if (entry === null) break
    found.push({ pid, start_time: entry.start_time })
    pid = entry.parent
  }
  return found
}

function readProc(pid: number): { name: string; parent: number; start_time: string } | null {
  try {
    const stat = nodeFs().readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = fieldsOf(stat)
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    return { name, parent: Number(fields[1]), start_time: fields[19] ?? '' }
  } catch {
    return null
  }
}

/** The command's name may contain spaces and brackets: fields count from the last bracket, which precedes the state. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20)
}

/** Elsewhere leases do not record when a process started. */
function readPs(): Find {
  const lines = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=']).stdout.toString().trim().split('\n')
  const parents = new Map(lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]))
  return (pid) => {
    const parent = parents.get(pid)
    return parent === undefined ? null : { parent, start_time: 'unknown' }
  }
}
