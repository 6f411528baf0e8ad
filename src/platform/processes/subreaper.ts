import type { ProcessEntry } from './process-entry.ts'
import { type Libc, loadLibc } from './subreaper-libc.ts'

/**
 * From now on orphaned descendants become children of this process, and it has to reap them. They are agents, so that they
 * also cannot read the keys that were removed from their environment out of this process. Only Linux has this.
 */
export async function becomeSubreaper(): Promise<void> {
  libc = await loadLibc()
  libc?.becomeSubreaper()
  libc?.hide()
}

let libc: Libc | null = null

/** Children of the runtime, until it has taken their status itself. */
const runtimes = new Set<number>()

/** Call this when the runtime has started it, and `forget` when the runtime knows how it ended. */
export function leaveToRuntime(pid: number): { forget: () => void } {
  runtimes.add(pid)
  return { forget: () => runtimes.delete(pid) }
}

/**
 * Takes the exit status of a dead child that the runtime did not start and will never ask about. A child that the
 * runtime started is left to it: if it asks too late, it fails with ECHILD.
 */
export function reap(pid: number): void {
  if (!runtimes.has(pid)) libc?.reap(pid)
}

/** When each zombie child was first seen. */
const firstSeen = new Map<number, number>()
const PATIENCE_MS = 1000

/**
 * Reaps orphans of no run, such as a `git gc` in the background. The runtime takes the status of its own children
 * within one turn of the event loop, so a zombie that still exists a second later is hardly one of them.
 */
export function reapOrphans(entries: readonly ProcessEntry[], now: number): void {
  const zombies = entries.filter(({ parent, isZombie }) => parent === process.pid && isZombie)
  const pids = new Set(zombies.map(({ pid }) => pid))
  for (const pid of firstSeen.keys()) if (!pids.has(pid)) firstSeen.delete(pid)
  for (const pid of pids) {
    const seen = firstSeen.get(pid)
    if (seen === undefined) firstSeen.set(pid, now)
    else if (now - seen >= PATIENCE_MS) reap(pid)
  }
}
