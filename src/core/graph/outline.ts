/** The current position of the work in a tree of tasks, and the text of its lines. */

import type { AgentStatus } from '../task/agent-state.ts'
import { isFinished } from '../task/status-predicates.ts'
import type { DerivedStatus } from '../task/task.ts'
import type { TreeRow } from '../task/task-tree.ts'

/** A task as trees show it. */
export interface OutlineTask {
  id: string
  parent: string | null
  title: string
  status: DerivedStatus
  assigned_agent: string | null
  /** The state of the assigned agent, as far as this task shows it; null if nobody has it, or it is finished. */
  agent_status: AgentStatus | null
  plan_file: string | null
  on_hold?: boolean
}

export type OutlineRow<T extends OutlineTask> = TreeRow<T> & {
  /** Whether this is the current position of the work. */
  current: boolean
}

export function outline<T extends OutlineTask>(rows: readonly TreeRow<T>[]): OutlineRow<T>[] {
  const at = positionIn(rows)
  return rows.map((row, index) => ({ ...row, current: index === at }))
}

/** The first unfinished task without parts, from top to bottom; if only wholes are left, the first of them. */
function positionIn(rows: readonly TreeRow<OutlineTask>[]): number {
  const isLeaf = (at: number) => (rows[at + 1]?.depth ?? 0) <= (rows[at]?.depth ?? 0)
  const leaf = rows.findIndex(({ task }, at) => !isFinished(task) && isLeaf(at))
  return leaf === -1 ? rows.findIndex(({ task }) => !isFinished(task)) : leaf
}

/** The tasks around the row at `index`, the outermost first, the row itself last. */
export function pathTo<T extends OutlineTask>(rows: readonly OutlineRow<T>[], index: number): OutlineRow<T>[] {
  const path: OutlineRow<T>[] = []
  for (let at = index, depth = rows[index]?.depth ?? -1; at >= 0 && depth >= 0; at--) {
    const row = rows[at]
    if (row?.depth !== depth) continue
    path.unshift(row)
    depth--
  }
  return path
}

/** Only families with open tasks. */
export function openFamilies<T extends OutlineTask>(rows: readonly TreeRow<T>[]): TreeRow<T>[] {
  const families: TreeRow<T>[][] = []
  for (const row of rows) {
    if (row.depth === 0) families.push([])
    families.at(-1)?.push(row)
  }
  return families.filter((family) => family.some(({ task }) => !isFinished(task))).flat()
}

/**
 * The text in parentheses after a task. If agents share the tasks, every task shows its state; otherwise the box is
 * enough, unless something unusual happened.
 */
export function stateWords(task: OutlineTask, options: { isShared: boolean; step?: string | undefined }): string {
  const agent = task.assigned_agent === null ? [] : [`@${task.assigned_agent}`]
  const isWorthSaying =
    agent.length > 0 || options.isShared || ['failed', 'in_progress', 'skipped'].includes(task.status)
  const held = task.on_hold ? ['on hold'] : []
  if (!isWorthSaying) return held.join('')
  return [...agent, stateWord(task, options.step), ...held].join(', ')
}

/** A task that somebody has is active, whether or not its run has begun, unless that agent is in trouble. */
function stateWord({ status, assigned_agent, agent_status }: OutlineTask, step: string | undefined): string {
  const isHad = status === 'in_progress' || (status === 'pending' && assigned_agent !== null)
  const trouble = isHad && (agent_status === 'blocked' || agent_status === 'failed') ? agent_status : null
  if (step !== undefined) return `${trouble === null ? '' : `${trouble} `}in ${uncapitalised(step)}`
  return trouble ?? (isHad ? 'active' : status)
}

/** `Spec review` becomes `spec review`; `JWT check` stays. */
function uncapitalised(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
