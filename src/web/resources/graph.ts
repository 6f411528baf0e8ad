import { layerDrawing } from '../../core/drawing/drawing.ts'
import { layOut } from '../../core/drawing/lay-out.ts'
import { UserError } from '../../core/user-error.ts'
import { readCriticalPath } from '../../scheduler/simulate-work.ts'
import { type GraphView, readGraph } from '../../workspace/views/read-graph.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { defineResource } from './resource.ts'

/** The dependency graph with positions, in columns and rows: a task is one row high. */
export default defineResource({
  path: 'graph',
  read: async (ws, { query }) => ({
    ...placed(readGraph(ws, { all: query.get('all') === 'true' })),
    /** The longest chain of open tasks, by the durations that `gza simulate` expects; ids. */
    critical: await criticalIds(ws),
  }),
})

function placed(graph: GraphView) {
  const linked = new Set(graph.edges.flatMap(({ task, needs }) => [task, needs]))
  const tasks = graph.tasks.filter(({ id }) => linked.has(id))
  const layered = layerDrawing({ ...graph, tasks })
  const { boxes, routes, width, height } = layOut(layered)
  return {
    width,
    height,
    nodes: tasks.map(({ number, id, key, title, status, on_hold }, node) => ({
      ...{ number, id, key, title, status, on_hold },
      ...{ x: boxes[node]?.column ?? 0, y: boxes[node]?.y ?? 0 },
    })),
    /** From the needed task to the one that needs it. */
    edges: routes.map((route, at) => {
      const { task = '', needs = '', kind = 'explicit' } = graph.edges[layered.places[at] ?? -1] ?? {}
      return { task, needs, kind, points: route.map(({ column, y }) => [column, y] as const) }
    }),
    cycles: graph.cycles,
    /** Tasks that neither need nor are needed. */
    alone: graph.tasks.filter(({ id }) => !linked.has(id)),
  }
}

/** A mistake in the configuration must not hide the graph. */
async function criticalIds(ws: Workspace): Promise<string[]> {
  try {
    return await readCriticalPath(ws)
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}
