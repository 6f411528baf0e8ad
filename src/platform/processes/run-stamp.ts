import { nodeFs } from '../files/slow-modules.ts'

/**
 * The number that identifies a run's processes even after `env -i setsid`: their soft limit on real-time CPU
 * microseconds. Children inherit limits, whatever they do to their environment, session or parents; anybody may read
 * them in /proc; and this one applies only to processes of a real-time class, after more than a hundred years of CPU.
 */
export function stampOf(marker: string): bigint {
  const digest = new Bun.CryptoHasher('sha256').update(marker).digest()
  return (1n << 52n) + BigInt(digest.readUIntBE(0, 6))
}

/** The stamp in the text of a /proc/PID/limits; null for a process without one. */
export function readStamp(limits: string): bigint | null {
  const soft = /^Max realtime timeout\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? null : BigInt(soft)
}

/** The stamp of this process; null where the system has none. */
export function ownStamp(): bigint | null {
  return stampOfProcess('self')
}

export function stampOfProcess(pid: number | 'self'): bigint | null {
  try {
    return readStamp(nodeFs().readFileSync(`/proc/${pid}/limits`, 'utf8'))
  } catch {
    return null
  }
}
