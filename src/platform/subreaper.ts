import type { ProcessEntry } from './process-tree.ts'
import { type Libc, loadLibc } from './subreaper-libc.ts'

/** From now on orphaned descendants come back to this process, and it has to reap them. Only Linux has this. */
export async function becomeSubreaper(): Promise<void> {
  libc = await loadLibc()
  libc?.becomeSubreaper()
}

let libc: Libc | null = null

/** Takes the exit status of a dead child that the runtime did not start and so will never ask about. */
export function reap(pid: number): void {
  libc?.reap(pid)
}

/** When each zombie child was first seen. */
const strays = new Map<number, number>()
const PATIENCE_MS = 1000

/**
 * Reaps orphans of no run, such as a `git gc` in the background. The runtime takes its own children's status within
 * one turn of its loop, so a zombie that is still there a second later is none of them.
 */
export function reapStrays(entries: readonly ProcessEntry[], now: number): void {
  const zombies = entries.filter(({ parent, isZombie }) => parent === process.pid && isZombie)
  const pids = new Set(zombies.map(({ pid }) => pid))
  for (const pid of strays.keys()) if (!pids.has(pid)) strays.delete(pid)
  for (const pid of pids) {
    const seen = strays.get(pid)
    if (seen === undefined) strays.set(pid, now)
    else if (now - seen >= PATIENCE_MS) reap(pid)
  }
}
