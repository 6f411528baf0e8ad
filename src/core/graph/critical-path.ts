import { at, type Graph, indexGraph, reverseEdges } from './indexed-graph.ts'
import type { SimulatedTask } from './simulate-schedule.ts'

export interface CriticalPath {
  /** The minimum duration with any number of workers. */
  seconds: number
  /** From the first to the last. */
  uids: string[]
}

/** The longest chain of tasks that must run one after the other. */
export function criticalPath(tasks: readonly SimulatedTask[]): CriticalPath {
  const byUid = new Map(tasks.map((task) => [task.uid, task]))
  const ends = new Map<string, { end: number; before: string | null }>()
  let last: string | null = null
  for (const uid of topologicalOrder(new Map(tasks.map(({ uid, needs }) => [uid, needs])))) {
    const task = byUid.get(uid)
    // A task that waits for something outside never runs, and neither does a task that waits for it.
    if (task === undefined || !task.needs.every((needed) => ends.has(needed))) continue
    const before = latest(task.needs, ends)
    const start = Math.max(task.isWhole && before !== null ? 0 : task.earliest, before === null ? 0 : endOf(before))
    ends.set(uid, { end: start + (task.isWhole && before !== null ? 0 : task.seconds), before })
    if (last === null || endOf(uid) > endOf(last)) last = uid
  }
  const uids: string[] = []
  for (let uid = last; uid !== null; uid = ends.get(uid)?.before ?? null) uids.push(uid)
  return { seconds: last === null ? 0 : endOf(last), uids: uids.reverse() }

  function endOf(uid: string): number {
    return ends.get(uid)?.end ?? 0
  }
}

function latest(uids: readonly string[], ends: ReadonlyMap<string, { end: number }>): string | null {
  let found: string | null = null
  for (const uid of uids) if (found === null || (ends.get(uid)?.end ?? 0) > (ends.get(found)?.end ?? 0)) found = uid
  return found
}

/** Dependencies before dependents, tasks without dependencies first. Tasks on a cycle, or after one, are left out. */
export function topologicalOrder(graph: Graph): string[] {
  const { uids, starts, targets } = indexGraph(graph)
  const followers = reverseEdges({ uids, starts, targets })
  const unmet = Int32Array.from(uids, (_, node) => at(starts, node + 1) - at(starts, node))
  const order = [...uids.keys()].filter((node) => unmet[node] === 0)
  for (const node of order) {
    for (let edge = at(followers.starts, node); edge < at(followers.starts, node + 1); edge++) {
      const follower = at(followers.targets, edge)
      unmet[follower] = at(unmet, follower) - 1
      if (unmet[follower] === 0) order.push(follower)
    }
  }
  return order.map((node) => uids[node] ?? '')
}
