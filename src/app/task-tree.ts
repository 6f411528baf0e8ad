import type { TaskView } from './views.ts'

interface TreeRow {
  task: TaskView
  depth: number
}

/**
 * Tasks as their tree is read aloud: each parent, then its children, one deeper. Order among siblings is kept. Two clones
 * may each make the other's parent a child, so of tasks that are each other's ancestors the first stands at the top.
 */
export function taskTree(tasks: readonly TaskView[]): TreeRow[] {
  const ids = new Set(tasks.map((task) => task.id))
  const children = Map.groupBy(tasks, (task) => task.parent)
  const roots = tasks.filter((task) => task.parent === null || !ids.has(task.parent))
  const rows = new Map<string, TreeRow>()
  for (const root of [...roots, ...tasks]) addFamily(root, children, rows)
  return [...rows.values()]
}

function addFamily(root: TaskView, children: ReadonlyMap<string | null, TaskView[]>, rows: Map<string, TreeRow>): void {
  const stack = [{ task: root, depth: 0 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (rows.has(next.task.id)) continue
    rows.set(next.task.id, next)
    const depth = next.depth + 1
    for (const task of children.get(next.task.id)?.toReversed() ?? []) stack.push({ task, depth })
  }
}
