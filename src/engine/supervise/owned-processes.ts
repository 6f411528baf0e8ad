import type { ProcessEntry, ProcessId, ProcessTable } from '../../platform/processes/process-entry.ts'

/** What is known about a run's processes before the next look at the process table. */
export interface RunTrace {
  marker: string
  /** The process that was started; null if only the marker of the run is known. */
  root: ProcessId | null
  /** Processes seen at earlier looks (`keyOf`): a descendant still belongs to the run after its parents are gone. */
  known: ReadonlySet<string>
}

/**
 * The processes of one run, including dead ones that are not reaped yet: those seen before, those in the session or
 * group of its first process, those with its marker, and all their descendants. An orphan becomes a child of the
 * supervisor, which may have several runs, so being its child proves nothing.
 */
export function ownedProcesses(table: ProcessTable, trace: RunTrace): ProcessEntry[] {
  // The table was read by the supervisor.
  const spared = ancestors(table.entries, table.self)
  const candidates = table.entries.filter(
    ({ pid, startedAt }) => !spared.has(pid) && startedAt >= (trace.root?.startedAt ?? 0),
  )
  const sessionId = ownSession(table.entries, trace.root)
  const isSeed = (entry: ProcessEntry): boolean =>
    trace.known.has(keyOf(entry)) || entry.session === sessionId || entry.group === sessionId
  const { seeds = [], others = [] } = Object.groupBy(candidates, (entry) => (isSeed(entry) ? 'seeds' : 'others'))
  return withDescendants(candidates, [...seeds, ...table.carrying(trace.marker, others)])
}

export function keyOf({ pid, startedAt }: ProcessId): string {
  return `${pid} ${startedAt}`
}

/** The supervisor and its ancestors, whatever their marker. */
function ancestors(entries: readonly ProcessEntry[], self: number): Set<number> {
  const parents = new Map(entries.map(({ pid, parent }) => [pid, parent]))
  const found = new Set<number>()
  for (let pid: number | undefined = self; pid && !found.has(pid); pid = parents.get(pid)) found.add(pid)
  return found
}

/** A pid is not reused while a session or group has it. If another process has it, this is another session. */
function ownSession(entries: readonly ProcessEntry[], root: ProcessId | null): number | null {
  if (root === null) return null
  const holder = entries.find(({ pid }) => pid === root.pid)
  return holder === undefined || holder.startedAt === root.startedAt ? root.pid : null
}

function withDescendants(candidates: readonly ProcessEntry[], seeds: readonly ProcessEntry[]): ProcessEntry[] {
  const children = Map.groupBy(candidates, ({ parent }) => parent)
  const owned = new Set(seeds)
  // The set grows during the iteration.
  for (const entry of owned) {
    // A child is younger than its parent. An older one had another parent with the same pid.
    for (const child of children.get(entry.pid) ?? []) if (child.startedAt >= entry.startedAt) owned.add(child)
  }
  return [...owned]
}
