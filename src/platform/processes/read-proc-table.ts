import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import type { ProcessEntry, ProcessTable } from './process-entry.ts'
import { readStamp, stampOf } from './run-stamp.ts'

/** Every process, from Linux's /proc. */
export function readProcTable(): ProcessTable {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const entries = pids.map((pid) => readProcEntry(Number(pid))).filter((entry) => entry !== null)
  const carrying: ProcessTable['carrying'] = (marker, some) => some.filter((entry) => carries(entry, marker))
  return { entries, self: process.pid, carrying }
}

export function readProcEntry(pid: number): ProcessEntry | null {
  const stat = readLine(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The command's name may contain spaces and brackets: fields count from the last bracket, which precedes the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20)
  const field = (at: number): number => Number(fields[at])
  return {
    pid,
    parent: field(1),
    group: field(2),
    session: field(3),
    startedAt: field(19),
    // A process whose first thread ended while others continue also shows as a zombie, but its other threads are
    // counted.
    isZombie: (fields[0] === 'Z' || fields[0] === 'X') && field(17) <= 1,
  }
}

/** Whether a process of such a name has lived for that long. The kernel cuts a name off after 15 characters. */
export function livesFor(seconds: number, name: RegExp): boolean {
  const [up] = (readOrNull('/proc/uptime') ?? '').split(' ')
  const startedBefore = (Number(up || Number.POSITIVE_INFINITY) - seconds + SLACK_SECONDS) * TICKS
  return readProcTable().entries.some(
    ({ pid, startedAt, isZombie }) =>
      !isZombie && startedAt <= startedBefore && name.test(readOrNull(`/proc/${pid}/comm`)?.trim() ?? ''),
  )
}

/** Of a second, on every Linux. */
const TICKS = 100
const SLACK_SECONDS = 2

function carries({ pid }: ProcessEntry, marker: string): boolean {
  const limits = readOrNull(`/proc/${pid}/limits`)
  if (limits !== null && readStamp(limits) === stampOf(marker)) return true
  const environ = readOrNull(`/proc/${pid}/environ`)
  return environ?.split('\0').includes(`GZA_RUN=${marker}`) ?? false
}

/** Null for a process that has just ended, and for what another user's process does not show. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** The line is shorter than this. With three calls of the system instead of six: there may be hundreds of processes. */
const line = Buffer.alloc(4096)

function readLine(path: string): string | null {
  let descriptor = -1
  try {
    descriptor = openSync(path, 'r')
    return line.toString('latin1', 0, readSync(descriptor, line, 0, line.length, null))
  } catch {
    return null
  } finally {
    if (descriptor >= 0) closeSync(descriptor)
  }
}
