/** A process for good: its pid may be given to another, but not with the same start. */
export interface ProcessId {
  pid: number
  /** Grows with time; the unit is the system's own. */
  startedAt: number
}

export interface ProcessEntry extends ProcessId {
  parent: number
  group: number
  session: number
  /** Dead, and kept only until its parent takes the exit status. */
  isZombie: boolean
}

export interface ProcessTable {
  entries: ProcessEntry[]
  /** Whether the process was started by the run with this marker: by its environment, or by a limit it inherited. */
  carries(entry: ProcessEntry, marker: string): boolean
}
