import { nodeFs } from '../files/slow-modules.ts'

/** Identifies a process as leases record it. */
export interface ProcessStart {
  pid: number
  start_time: string
}

/**
 * When a process started, as the kernel reports it; null if there is no such process. A dead one whose parent has not
 * asked for its end counts as none: in a container, nobody may ever ask.
 */
export function processStartTime(pid: number): string | null {
  if (pid !== process.pid) return readStartTime(pid)
  // Needed for each lease at each check.
  own ??= readStartTime(pid)
  return own
}

let own: string | null | undefined

/** Does the pid still belong to the same process? */
export function isSameProcess(pid: number, startTime: string): boolean {
  return processStartTime(pid) === startTime
}

function readStartTime(pid: number): string | null {
  try {
    const stat = nodeFs().readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name may contain spaces and brackets: count fields from the last bracket. Start time is the 22nd.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(state) ? null : (fields[18] ?? null)
  } catch {
    return existsWithoutProc(pid) ? 'unknown' : null
  }
}

function existsWithoutProc(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux'
  } catch {
    return false
  }
}
