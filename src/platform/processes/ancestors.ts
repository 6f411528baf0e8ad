import { nodeFs } from '../files/slow-modules.ts'
import type { ProcessStart } from './process-identity.ts'

/**
 * The processes above this one, its parent first. They stay its ancestors whatever it did to its environment, session
 * or process group. An orphan's parent is the supervisor, which is a subreaper on Linux.
 */
export function ancestors(): ProcessStart[] {
  return process.platform === 'linux' ? walk(process.ppid, readProc) : walk(process.ppid, readPs())
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

function readProc(pid: number): ReturnType<Find> {
  try {
    const stat = nodeFs().readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name may contain spaces and brackets: fields count from the last bracket, which precedes the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20)
    return { parent: Number(fields[1]), start_time: fields[19] ?? '' }
  } catch {
    return null
  }
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
