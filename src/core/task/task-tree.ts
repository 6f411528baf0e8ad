interface HasParent {
  id: string
  /** The id of its parent task. */
  parent: string | null
}

export interface TreeRow<T> {
  task: T
  depth: number
}

/**
 * Tasks in the order of their tree: each parent, then its children, one level deeper. The order of siblings is kept.
 * Two clones may each make the other's parent a child, so of tasks that are each other's ancestors the first is at the
 * top.
 */
export function taskTree<T extends HasParent>(tasks: readonly T[]): TreeRow<T>[] {
  const ids = new Set(tasks.map((task) => task.id))
  const children = Map.groupBy(tasks, (task) => task.parent)
  const roots = tasks.filter((task) => task.parent === null || !ids.has(task.parent))
  const rows = new Map<string, TreeRow<T>>()
  for (const root of roots) addFamily(root, children, rows)
  for (const task of tasks) if (!rows.has(task.id)) addFamily(task, children, rows)
  return [...rows.values()]
}

function addFamily<T extends HasParent>(
  root: T,
  children: ReadonlyMap<string | null, T[]>,
  rows: Map<string, TreeRow<T>>,
): void {
  const stack = [{ task: root, depth: 0 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (rows.has(next.task.id)) continue
    rows.set(next.task.id, next)
    const depth = next.depth + 1
    for (const task of children.get(next.task.id)?.toReversed() ?? []) stack.push({ task, depth })
  }
}
