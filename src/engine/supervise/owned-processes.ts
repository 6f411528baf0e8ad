import type { ProcessEntry, ProcessId, ProcessTable } from '../../platform/processes/process-entry.ts'

/** What is known of a run's processes before the next look at the table. */
export interface RunTrace {
  marker: string
  /** The process that was started; null where only the marker is left of the run. */
  root: ProcessId | null
  /** Those seen at earlier looks (`keyOf`): a descendant stays one after its parents are gone. */
  known: ReadonlySet<string>
  /** The supervisor. */
  self: number
}

/**
 * The processes of one run, dead ones not yet reaped included: those seen before, those in the session or group of its
 * first process, those that carry its marker, and all their descendants. An orphan comes back to the supervisor, which
 * may have several runs, so being its child proves nothing.
 */
export function ownedProcesses(table: ProcessTable, trace: RunTrace): ProcessEntry[] {
  const spared = ancestors(table.entries, trace.self)
  const candidates = table.entries.filter(
    ({ pid, startedAt }) => !spared.has(pid) && startedAt >= (trace.root?.startedAt ?? 0),
  )
  const sessionId = ownSession(table.entries, trace.root)
  const isSeed = (entry: ProcessEntry): boolean =>
    trace.known.has(keyOf(entry)) ||
    entry.session === sessionId ||
    entry.group === sessionId ||
    table.carries(entry, trace.marker)
  return withDescendants(candidates, candidates.filter(isSeed))
}

export function keyOf({ pid, startedAt }: ProcessId): string {
  return `${pid} ${startedAt}`
}

/** The supervisor and all above it, whatever they carry. */
function ancestors(entries: readonly ProcessEntry[], self: number): Set<number> {
  const parents = new Map(entries.map(({ pid, parent }) => [pid, parent]))
  const found = new Set<number>()
  for (let pid: number | undefined = self; pid && !found.has(pid); pid = parents.get(pid)) found.add(pid)
  return found
}

/** A number stays taken as long as a session or group has it; once another process has it, that is another session. */
function ownSession(entries: readonly ProcessEntry[], root: ProcessId | null): number | null {
  if (root === null) return null
  const holder = entries.find(({ pid }) => pid === root.pid)
  return holder === undefined || holder.startedAt === root.startedAt ? root.pid : null
}

function withDescendants(candidates: readonly ProcessEntry[], seeds: readonly ProcessEntry[]): ProcessEntry[] {
  const children = Map.groupBy(candidates, ({ parent }) => parent)
  const owned = new Set(seeds)
  // The set grows while it is walked.
  for (const entry of owned) {
    // A child is younger than its parent; one that is older had another parent of that number.
    for (const child of children.get(entry.pid) ?? []) if (child.startedAt >= entry.startedAt) owned.add(child)
  }
  return [...owned]
}
