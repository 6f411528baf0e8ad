import type { TaskView } from './views.ts'

/** Tasks as their tree is read aloud: each parent, then its children, one deeper. Order among siblings is kept. */
export function taskTree(tasks: readonly TaskView[]): { task: TaskView; depth: number }[] {
  const ids = new Set(tasks.map((task) => task.id))
  const roots = tasks.filter((task) => task.parent === null || !ids.has(task.parent))
  const children = Map.groupBy(tasks, (task) => task.parent)
  const rows: { task: TaskView; depth: number }[] = []
  const stack = roots.map((task) => ({ task, depth: 0 })).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    rows.push(next)
    const depth = next.depth + 1
    stack.push(...(children.get(next.task.id) ?? []).map((task) => ({ task, depth })).reverse())
  }
  return rows
}
