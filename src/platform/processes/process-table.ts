import type { ProcessEntry, ProcessId, ProcessTable } from './process-entry.ts'
import { livesFor, readProcEntry, readProcTable } from './read-proc-table.ts'
import { readPsTable } from './read-ps-table.ts'
import { reapOrphans } from './subreaper.ts'

const HAS_PROC = process.platform === 'linux'

export function readProcessTable(): ProcessTable {
  return HAS_PROC ? readProcTable() : readPsTable()
}

/** The same, and orphans of no run are reaped. */
export function sweepProcesses(): ProcessTable {
  const table = readProcessTable()
  reapOrphans(table.entries, performance.now())
  return table
}

export function findProcess(pid: number): ProcessEntry | null {
  if (HAS_PROC) return readProcEntry(pid)
  return readPsTable().entries.find((entry) => entry.pid === pid) ?? null
}

/** Whether a git may live that was there so many seconds ago. Elsewhere than on Linux nobody knows. */
export function mayGitLiveFor(seconds: number): boolean {
  return !HAS_PROC || livesFor(seconds, /^git(-|$)/)
}

/**
 * Signals the process only if it is still the same one. Only microseconds pass between the check and the signal, and
 * pids are given out in turn: thousands of processes would have to start in between.
 */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): void {
  if (HAS_PROC && readProcEntry(id.pid)?.startedAt !== id.startedAt) return
  signalQuietly(id.pid, signal)
}

/** The caller has just seen its own member of the group. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  signalQuietly(-group, signal)
}

/** A process that has ended needs no signal, and one of another user cannot be signalled: the next check shows both. */
function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
