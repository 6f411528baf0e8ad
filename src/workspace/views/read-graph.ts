import type { Drawing, DrawnEdge, DrawnTask, EdgeKind } from '../../core/drawing/drawing.ts'
import { shortestCycles } from '../../core/graph/dependency-cycles.ts'
import { type DependencyKind, dependencyKind, dependencyKinds } from '../../core/graph/dependency-kinds.ts'
import { at, type IndexedGraph, placeEdges, reverseEdges } from '../../core/graph/indexed-graph.ts'
import { stronglyConnected } from '../../core/graph/strongly-connected.ts'
import { isOnHold } from '../../core/task/status-predicates.ts'
import type { TaskType } from '../../core/task/task.ts'
import { type GraphRow, graphRows, type NamingRow, namingRows, needPairs } from '../../state/index/graph/graph-rows.ts'
import { findTask, type LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { derivedStatus, unknownTask } from './task-status.ts'
import type { RelationKind } from './views.ts'

export interface GraphTask extends DrawnTask {
  uid: string
  type: TaskType
  group: string | null
  on_hold: boolean
}

export interface GraphEdge extends DrawnEdge {
  /** The field that names the other task, or `child`: it is one of the task's children. */
  relation: RelationKind
}

export interface GraphView extends Drawing {
  tasks: GraphTask[]
  edges: GraphEdge[]
}

export interface GraphOptions {
  /** Only what this task needs, and what needs it. */
  ref?: string
  /** Also finished tasks. */
  all?: boolean
}

export function readGraph(ws: Workspace, options: GraphOptions = {}): GraphView {
  const view = readLedger(ws)
  const asked = options.ref === undefined ? null : findTask(view, options.ref)
  // Around a finished task, nearly everything is finished.
  const all = options.all || (asked !== null && asked.status !== 'pending')
  const known = readNodes(view, all)
  const { tasks, indexed } = known
  const shown = asked === null ? null : relatives(indexed, known.nodeOf(asked.uid))
  const isShown = (node: number) => shown?.has(node) ?? true
  const idOf = (node: number) => tasks[node]?.id ?? ''
  return {
    tasks: tasks.filter((_, node) => isShown(node)),
    edges: edgesOf(view, all, known, isShown),
    cycles: cyclesInside(indexed)
      .filter((cycle) => cycle.every(isShown))
      .map((cycle) => cycle.map(idOf)),
    asked: asked === null ? null : idOf(known.nodeOf(asked.uid)),
    ...(shown === null && { indexed }),
  }
}

/** Tasks by number, then those that are not in this ledger; edges by number on both sides. */
interface Nodes {
  tasks: GraphTask[]
  rows: GraphRow[]
  indexed: IndexedGraph
  /** Explicit edges that also lead to a child, by their index. */
  named: ReadonlySet<number>
  nodeOf(uid: string): number
}

/**
 * What a task waits for: its dependencies, and its open children. Nodes are numbers here, because uids cost much more.
 */
function readNodes(view: LedgerView, all: boolean): Nodes {
  const { ws, row } = view
  const rows = graphRows(ws.state, row.lid, { all })
  const tasks = rows.map((each) => graphTask(view, each))
  const byRow = new Map(rows.map((each, node) => [each.row, node]))
  let byUid: Map<string, number> | null = null
  const nodeOf = (uid: string) => {
    byUid ??= new Map(tasks.map((task, node) => [task.uid, node]))
    return byUid.get(uid) ?? -1
  }
  const edges: [number, number][] = []
  for (const [from, to, unknown] of needPairs(ws.state, row.lid, { all })) {
    const needed = unknown === null ? byRow.get(to ?? -1) : placeOf(unknown)
    const node = byRow.get(from)
    if (node !== undefined && needed !== undefined) edges.push([node, needed])
  }
  rows.forEach(({ parent }, child) => {
    if (parent !== null) edges.push([nodeOf(parent), child])
  })
  const { starts, targets, named } = sortTargets(placeEdges(tasks.length, edges))
  return { tasks, rows, indexed: { uids: tasks.map(({ id }) => id), starts, targets }, named, nodeOf }

  function placeOf(uid: string): number {
    const found = nodeOf(uid)
    if (found >= 0) return found
    tasks.push({ ...unknownTask(uid), uid, key: null, type: 'task', group: null, on_hold: false })
    byUid?.set(uid, tasks.length - 1)
    return tasks.length - 1
  }
}

/** A parent may depend on its child as well: that is one edge. */
function sortTargets({ starts, targets }: Pick<IndexedGraph, 'starts' | 'targets'>) {
  const own = new Int32Array(starts.length)
  const named = new Set<number>()
  let kept = 0
  for (let node = 0; node + 1 < starts.length; node++) {
    const some = targets.subarray(at(starts, node), at(starts, node + 1)).sort()
    for (let edge = 0; edge < some.length; edge++) {
      if (edge > 0 && some[edge] === targets[kept - 1]) named.add(kept - 1)
      else targets[kept++] = at(some, edge)
    }
    own[node + 1] = kept
  }
  return { starts: own, targets: targets.subarray(0, kept), named }
}

function graphTask(view: LedgerView, row: GraphRow): GraphTask {
  const { uid, id, number, key, title, type, grp } = row
  return { number, id, key, title, status: derivedStatus(view, row), type, group: grp, uid, on_hold: isOnHold(row) }
}

/** The task, and everything that can be reached from it in one direction or the other. */
function relatives(indexed: IndexedGraph, from: number): Set<number> {
  const found = new Set<number>()
  for (const { starts, targets } of [indexed, reverseEdges(indexed)]) {
    const queue = [from]
    const seen = new Set(queue)
    for (const node of queue) {
      found.add(node)
      for (const other of targets.subarray(at(starts, node), at(starts, node + 1))) {
        if (seen.has(other)) continue
        seen.add(other)
        queue.push(other)
      }
    }
  }
  return found
}

/** Mostly there is none, and then one pass is enough. */
function cyclesInside(indexed: IndexedGraph): number[][] {
  const { uids, starts, targets } = indexed
  const { component } = stronglyConnected(indexed)
  const isCyclic = (node: number, target: number) => component[node] === component[target]
  const inside = new Map<string, string[]>()
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const target = at(targets, edge)
      if (!isCyclic(node, target)) continue
      const known = inside.get(String(node))
      if (known) known.push(String(target))
      else inside.set(String(node), [String(target)])
    }
  }
  return shortestCycles(inside).map((cycle) => cycle.map(Number))
}

const EXPLICIT: readonly DependencyKind[] = ['explicit']
const CHILD: readonly EdgeKind[] = ['child']
const NAMED_CHILD: readonly EdgeKind[] = ['explicit', 'child']

function edgesOf(view: LedgerView, all: boolean, known: Nodes, isShown: (node: number) => boolean): GraphEdge[] {
  const { tasks, rows, indexed, named } = known
  const { starts, targets } = indexed
  const naming = [...namingRows(view.ws.state, view.row.lid, { all })]
  const files = new Map(naming.filter(({ declaresFiles }) => declaresFiles).map((row) => [row.uid, row]))
  const sided = (node: number) => {
    const row = rows[node]
    const uid = tasks[node]?.uid ?? ''
    const parent = row?.parent ? (`task-${row.parent}` as const) : undefined
    const plan = { key: row?.key ?? undefined, plan_file: row?.plan_file ?? undefined }
    return { ...files.get(uid), ...plan, parent, ref: `task-${uid}` as const }
  }
  // Most tasks have neither: their edges are explicit, and both ends need not be read.
  const isPlain = (node: number) => rows[node]?.parent == null && !files.has(tasks[node]?.uid ?? '')
  const kindsOf = (node: number, needed: number, edge: number): Pick<DrawnEdge, 'kind' | 'kinds'> => {
    if (rows[needed]?.parent === tasks[node]?.uid)
      return { kind: 'child', kinds: named.has(edge) ? NAMED_CHILD : CHILD }
    if (isPlain(node)) return { kind: 'explicit', kinds: EXPLICIT }
    const [waiting, other] = [sided(node), sided(needed)]
    return { kind: dependencyKind(waiting, other), kinds: dependencyKinds(waiting, other) }
  }
  const relationOf = relations(naming, known)
  const edges: GraphEdge[] = []
  for (let node = 0; node < tasks.length; node++) {
    if (!isShown(node)) continue
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++) {
      const needed = at(targets, edge)
      if (!isShown(needed)) continue
      const ends = { task: tasks[node]?.id ?? '', needs: tasks[needed]?.id ?? '' }
      edges.push({ ...ends, relation: relationOf(node, needed, edge), ...kindsOf(node, needed, edge) })
    }
  }
  return edges
}

/** How a task names the other one. Most tasks name others only in `after`, and are not read for this. */
function relations(found: readonly NamingRow[], { tasks, rows, named }: Nodes) {
  const naming = new Map(found.filter(({ namesOthers }) => namesOthers).map((row) => [row.row, row]))
  return (node: number, needed: number, edge: number): RelationKind => {
    if (rows[needed]?.parent === tasks[node]?.uid && !named.has(edge)) return 'child'
    const fields = naming.get(rows[node]?.row ?? -1)
    if (fields === undefined) return 'after'
    const ref = `task-${tasks[needed]?.uid}` as const
    if (fields.based_on.includes(ref)) return 'based_on'
    return fields.after.includes(ref) ? 'after' : 'depends_on'
  }
}
