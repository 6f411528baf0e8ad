import type { Graph, GraphNode } from '../../api/types.ts'

/** Each status has a sign of its own: colours alone do not reach everybody. */
const SIGNS: Readonly<Record<GraphNode['status'], string>> = {
  pending: '○',
  blocked: '◌',
  in_progress: '▶',
  failed: '✕',
  completed: '✓',
  skipped: '–',
}

export function signOf(status: GraphNode['status']): string {
  return SIGNS[status]
}

/** What the signs and lines mean, and how many tasks have each status. */
export function Legend({ graph, isMarked }: { graph: Graph; isMarked: boolean }) {
  const counts = Map.groupBy(graph.nodes, ({ status }) => status)
  return (
    <ul class="legend" aria-label="Legend">
      {Object.entries(SIGNS).flatMap(([status, sign]) => {
        const count = counts.get(status as GraphNode['status'])?.length ?? 0
        return count === 0
          ? []
          : [
              <li key={status} class={`status-${status}`}>
                <span aria-hidden="true">{sign}</span> {status.replaceAll('_', ' ')} <span class="count">{count}</span>
              </li>,
            ]
      })}
      {isMarked && (
        <li class="critical-sign">
          <span aria-hidden="true">━</span> critical path <span class="count">{graph.critical.length}</span>
        </li>
      )}
    </ul>
  )
}
