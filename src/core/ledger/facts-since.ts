import type { Task } from '../task/task.ts'
import { canonical } from './canonical.ts'
import { joinTask } from './join-tasks.ts'

/**
 * A task as it was before a bad commit, with the facts that others added after that commit. `bad` is the task as the
 * commit left it; null if the commit removed it.
 */
export function withFactsSince(legal: Task, bad: Task | null, now: Task): Task {
  if (bad === null) return joinTask(legal, now)
  const added: Task = {
    ...legal,
    ...(isSame(closingOf(bad), closingOf(now)) ? {} : closingOf(now)),
    notes: [...legal.notes, ...now.notes.filter(({ id }) => !bad.notes.some((note) => note.id === id))],
    edits: [...legal.edits, ...since(bad.edits, now.edits)],
    runs: [...legal.runs, ...since(bad.runs, now.runs)],
    phases: [...legal.phases, ...since(bad.phases, now.phases)],
    landings: [...legal.landings, ...since(bad.landings, now.landings)],
    commits: [...legal.commits, ...since(bad.commits, now.commits)],
  }
  return joinTask(legal, added)
}

function since<T>(before: readonly T[], after: readonly T[]): T[] {
  const known = new Set(before.map(canonical))
  return after.filter((fact) => !known.has(canonical(fact)))
}

function closingOf(task: Task): Partial<Task> {
  const { generation, status, closed_at, closed_by, closed_commit, link, closed_head, closed_branch } = task
  const optional = {
    ...(closed_by && { closed_by }),
    ...(closed_head && { closed_head }),
    ...(closed_branch && { closed_branch }),
  }
  return { generation, status, closed_at, closed_commit, link, ...optional }
}

function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}
