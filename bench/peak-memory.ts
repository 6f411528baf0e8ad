import { join } from 'node:path'
import { type Probe, runQuietly } from './probe.ts'

/**
 * The peak memory of one run, in bytes.
 *
 * On Linux, ru_maxrss of a child starts at the memory its parent had when the child was spawned. So a small process (about
 * 25 MB) starts the child, and the result can be too high but never too low. Polling VmHWM until the process ended was
 * tried: on a busy machine the last value was up to 7 MB too low.
 */
export function peakMemory({ argv, cwd, env }: Probe): number {
  return Number(runQuietly({ argv: [process.execPath, SMALL_PARENT, ...argv], cwd, env }))
}

const SMALL_PARENT = join(import.meta.dir, 'print-peak-memory.ts')
