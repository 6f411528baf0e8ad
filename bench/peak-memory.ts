import { join } from 'node:path'
import { type Probe, runQuietly } from './probe.ts'

/**
 * The most memory one run held at a time, in bytes.
 *
 * ru_maxrss of a child starts at what its parent held when it was spawned, on Linux at least. So a small process of its own
 * stands between (about 25 MB), and what it reports can be too much but never too little. Reading VmHWM until the process
 * is gone was tried: on a busy machine the last look came too early, by up to 7 MB.
 */
export function peakMemory({ argv, cwd, env }: Probe): number {
  return Number(runQuietly({ argv: [process.execPath, SMALL_PARENT, ...argv], cwd, env }))
}

const SMALL_PARENT = join(import.meta.dir, 'print-peak-memory.ts')
