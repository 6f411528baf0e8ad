/** Identifies a process permanently: its pid may be reused, but not with the same start. */
export interface ProcessId {
  pid: number
  /** Grows with time; the unit depends on the system. */
  startedAt: number
}

export interface ProcessEntry extends ProcessId {
  parent: number
  group: number
  session: number
  /** Dead, and kept only until its parent reads the exit status. */
  isZombie: boolean
}

export interface ProcessTable {
  entries: ProcessEntry[]
  /** The pid of this process. */
  self: number
  /** Those that the run with this marker has started, as their environment or an inherited limit shows. */
  carrying(marker: string, entries: readonly ProcessEntry[]): ProcessEntry[]
}
