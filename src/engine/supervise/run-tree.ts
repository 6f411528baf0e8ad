import type { ProcessEntry, ProcessId } from '../../platform/processes/process-entry.ts'
import { sweepProcesses } from '../../platform/processes/process-table.ts'
import { reap } from '../../platform/processes/subreaper.ts'
import { keyOf, ownedProcesses } from './owned-processes.ts'

export interface RunTree {
  root: ProcessId | null
  /** The run's living processes now. Dead ones are reaped if they are our children. */
  look(): ProcessEntry[]
  /** Whether the last look found no process, and none that became our child and died since the look before. */
  isStill(): boolean
  /** Whether a box holds them all: they have process numbers of their own, and none outlives its first process. */
  isEnclosed: boolean
  /** Whether it only holds the run's box: TERM would kill what is inside at once. */
  isHolder(entry: ProcessEntry): boolean
}

/** All processes of a run, remembered from look to look. `holders` is how many of them hold its box. */
export function watchTree(marker: string, root: ProcessId | null, holders: 0 | 2 = 0): RunTree {
  if (marker === '') throw new Error('A run without a marker cannot be distinguished from other processes')
  let known: ReadonlySet<string> = new Set()
  let isStill = false
  const look = (): ProcessEntry[] => {
    const table = sweepProcesses()
    const owned = ownedProcesses(table, { marker, root, known })
    known = new Set(owned.map(keyOf))
    // The first process is a child of the runtime, which reaps it itself to learn how it ended.
    const isAdopted = ({ pid, parent }: ProcessEntry) => parent === table.self && pid !== root?.pid
    isStill = owned.every((entry) => entry.isZombie && !isAdopted(entry))
    for (const entry of owned) if (entry.isZombie && isAdopted(entry)) reap(entry.pid)
    return owned.filter(({ isZombie }) => !isZombie)
  }
  const isHolder = ({ pid, parent }: ProcessEntry): boolean =>
    holders > 0 && root !== null && (pid === root.pid || parent === root.pid)
  return { root, look, isStill: () => isStill, isEnclosed: holders > 0, isHolder }
}
