/** The dependencies among tasks, with the kind of each: what `gza graph` draws. */
import { dependencyKind } from '../core/dependency-kinds.ts'
import type { Drawing, DrawnEdge, DrawnTask } from '../core/drawing/drawing.ts'
import { dependents, loopsOf } from '../core/graph.ts'
import type { Graph } from '../core/indexed-graph.ts'
import type { TaskType } from '../core/task.ts'
import { declaredFiles, needRows } from '../state/sqlite/graph-rows.ts'
import { type Entry, entriesWhere } from '../state/sqlite/read-index.ts'
import { readLedger } from './fresh-ledger.ts'
import { findTask, type LedgerView } from './ledger-view.ts'
import { derivedStatus, unknownTask } from './task-view.ts'
import type { Workspace } from './workspace.ts'

export interface GraphTask extends DrawnTask {
  uid: string
  type: TaskType
  group: string | null
}

export interface GraphView extends Drawing {
  tasks: GraphTask[]
}

export interface GraphOptions {
  /** Only what this task needs, and what needs it. */
  ref?: string
  /** Finished tasks too. */
  all?: boolean
}

export function readGraph(ws: Workspace, options: GraphOptions = {}): GraphView {
  const view = readLedger(ws)
  const asked = options.ref === undefined ? null : findTask(view, options.ref)
  // Around a finished task nearly all is finished.
  const all = options.all || (asked !== null && asked.status !== 'pending')
  const rows = rowsOf(view, all)
  const needs = needsOf(view, all, rows)
  const shown = asked === null ? null : relatives(needs, asked.uid)
  const tasks = [...rows.values(), ...unknownRows(rows, needs)].filter(({ uid }) => shown?.has(uid) ?? true)
  const ids = new Map(tasks.map(({ uid, id }) => [uid, id]))
  const edges = edgesOf(view, all, rows, needs).filter(({ task, needs }) => ids.has(task) && ids.has(needs))
  const nameOf = (uid: string) => ids.get(uid) ?? uid
  return {
    tasks: tasks.map((row) => ('place' in row ? graphTask(view, row) : row)),
    edges: edges.map(({ task, needs, kind }) => ({ task: nameOf(task), needs: nameOf(needs), kind })),
    cycles: loopsOf(needs)
      .filter((loop) => loop.every((uid) => ids.has(uid)))
      .map((loop) => loop.map(nameOf)),
    asked: asked === null ? null : nameOf(asked.uid),
  }
}

/** By number. */
function rowsOf(view: LedgerView, all: boolean): Map<string, Entry> {
  const open = all ? '' : "AND e.status NOT IN ('completed', 'skipped')"
  const rows = entriesWhere(view.ws.state, view.row.lid, `e.deleted = 0 ${open} ORDER BY e.number`)
  return new Map(rows.map((row) => [row.uid, row]))
}

/** For each task the uids of what it waits for: its dependencies, and its open children. */
function needsOf(view: LedgerView, all: boolean, rows: ReadonlyMap<string, Entry>): Map<string, string[]> {
  const needs = new Map<string, Set<string>>([...rows.keys()].map((uid) => [uid, new Set()]))
  for (const row of needRows(view.ws.state, view.row.lid, { all })) {
    needs.get(row.task)?.add(row.needs)
    if (!needs.has(row.needs)) needs.set(row.needs, new Set())
  }
  for (const { uid, parent } of rows.values()) if (parent !== null) needs.get(parent)?.add(uid)
  return new Map([...needs].map(([uid, needed]) => [uid, [...needed]]))
}

function unknownRows(rows: ReadonlyMap<string, Entry>, needs: Graph): GraphTask[] {
  return [...needs.keys()]
    .filter((uid) => !rows.has(uid))
    .map((uid) => ({ ...unknownTask(uid), uid, key: null, type: 'task', group: null }))
}

function graphTask(view: LedgerView, row: Entry): GraphTask {
  const { uid, id, number, key, title, type, grp } = row
  return { number, id, key, title, status: derivedStatus(view, row), type, group: grp, uid }
}

/** The task, and all that can be reached from it one way or the other. */
function relatives(needs: Graph, uid: string): Set<string> {
  const found = new Set<string>()
  for (const graph of [needs, dependents(needs)]) {
    const queue = [uid]
    const seen = new Set(queue)
    for (const next of queue) {
      found.add(next)
      for (const other of graph.get(next) ?? []) {
        if (seen.has(other)) continue
        seen.add(other)
        queue.push(other)
      }
    }
  }
  return found
}

function edgesOf(view: LedgerView, all: boolean, rows: ReadonlyMap<string, Entry>, needs: Graph): DrawnEdge[] {
  const files = new Map(Iterator.from(declaredFiles(view.ws.state, view.row.lid, { all })).map((row) => [row.uid, row]))
  const sided = (uid: string) => {
    const row = rows.get(uid)
    const parent = row?.parent ? (`task-${row.parent}` as const) : undefined
    return { ...files.get(uid), key: row?.key ?? undefined, parent }
  }
  // Most tasks have neither: their edges are explicit, without a look at both ends.
  const isPlain = (uid: string) => !files.has(uid) && rows.get(uid)?.parent === null
  const kindOf = (task: string, needed: string) => {
    if (rows.get(needed)?.parent === task) return 'child'
    return isPlain(task) ? 'explicit' : dependencyKind(sided(task), sided(needed))
  }
  const edges: DrawnEdge[] = []
  for (const [task, needed] of needs)
    for (const each of needed) edges.push({ task, needs: each, kind: kindOf(task, each) })
  return edges
}
