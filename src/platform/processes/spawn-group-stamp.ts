import { createHash } from 'node:crypto'

/**
 * The number by which a run's processes are known even after `env -i setsid`: their soft limit on real-time CPU
 * microseconds. Children inherit limits whatever they do to their environment, session or parents; anybody may read
 * them in /proc; and this one binds only processes of a real-time class, after more than a hundred years of CPU.
 */
export function stampOf(marker: string): bigint {
  const digest = createHash('sha256').update(marker).digest()
  return (1n << 52n) + BigInt(digest.readUIntBE(0, 6))
}

/** The stamp in the text of a /proc/PID/limits; null for a process without one. */
export function readStamp(limits: string): bigint | null {
  const soft = /^Max realtime timeout\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? null : BigInt(soft)
}
