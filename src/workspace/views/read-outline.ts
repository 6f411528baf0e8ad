import { relative, resolve } from 'node:path'
import { type OutlineRow, type OutlineTask, openFamilies, outline, pathTo } from '../../core/graph/outline.ts'
import { command } from '../../core/sentence.ts'
import { isOnHold } from '../../core/task/status-predicates.ts'
import type { DerivedStatus } from '../../core/task/task.ts'
import { type TreeRow, taskTree } from '../../core/task/task-tree.ts'
import { UserError } from '../../core/user-error.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { findTask, type LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { openAgentStatus } from './list-agents.ts'
import { liveRows } from './list-tasks.ts'
import { derivedStatus } from './task-status.ts'

/** A line of the tree. The shape is public. */
export interface TreeLine extends OutlineTask {
  number: number
  status: DerivedStatus
  /** Its depth, from 0. */
  depth: number
  current: boolean
}

export interface TreeOptions {
  /** Only this task with all its parts. */
  ref?: string
  /** Only tasks from this plan. */
  plan?: string
  /** Also families without open tasks, and archived tasks. */
  all?: boolean
  cwd?: string
}

export function readTree(ws: Workspace, options: TreeOptions = {}): TreeLine[] {
  return treeOf(readLedger(ws), options).map(lineOf)
}

/** The current task and its ancestors, the outermost first; null if nothing is open. */
export function findPosition(
  ws: Workspace,
  options: TreeOptions = {},
): { position: TreeLine | null; path: TreeLine[] } {
  const rows = treeOf(readLedger(ws), options)
  const path = pathTo(
    rows,
    rows.findIndex(({ current }) => current),
  ).map(lineOf)
  return { position: path.pop() ?? null, path }
}

export type OutlineEntry = OutlineTask & { number: number; uid: string }

export function treeOf(view: LedgerView, options: TreeOptions): OutlineRow<OutlineEntry>[] {
  const tasks = outlineTasks(view, liveRows(view, { archived: options.all ?? false }))
  if (options.ref !== undefined) return outline(taskTree(familyOf(tasks, findTask(view, options.ref).uid)))
  if (options.plan !== undefined) return outline(taskTree(ofPlan(view, tasks, options.plan, options.cwd)))
  const rows = taskTree(tasks)
  return outline(options.all ? rows : openFamilies(rows))
}

export function outlineTasks(view: LedgerView, rows: readonly Entry[]): OutlineEntry[] {
  const ids = new Map(rows.map(({ uid, id }) => [uid, id]))
  const agentStatus = openAgentStatus(view, rows)
  return rows.map((row) => ({
    uid: row.uid,
    id: row.id,
    number: row.number,
    title: row.title,
    status: derivedStatus(view, row),
    parent: row.parent === null ? null : (ids.get(row.parent) ?? null),
    assigned_agent: row.assigned_agent,
    agent_status: agentStatus(row),
    plan_file: row.plan_file,
    on_hold: isOnHold(row),
  }))
}

/** The task and all its parts. */
function familyOf(tasks: readonly OutlineEntry[], uid: string): OutlineEntry[] {
  const rows = taskTree(tasks)
  const start = rows.findIndex(({ task }) => task.uid === uid)
  const root = rows[start]
  if (root === undefined) return []
  const end = rows.findIndex((row, at) => at > start && row.depth <= root.depth)
  return rows.slice(start, end === -1 ? undefined : end).map(({ task }) => task)
}

/** The parents of the plan's own tasks are left out; their parts need not name the plan again. */
function ofPlan(
  view: LedgerView,
  tasks: readonly OutlineEntry[],
  plan: string,
  cwd: string | undefined,
): OutlineEntry[] {
  const names = planNames(view.ws, plan, cwd)
  const rows = taskTree(tasks)
  const kept = rowsOfPlan(rows, names).map(({ task }) => task)
  if (kept.length > 0) return kept
  const known = [...new Set(tasks.flatMap(({ plan_file }) => plan_file ?? []))]
  throw new UserError('PLAN_NOT_FOUND', `No task comes from the plan ${plan}`, {
    hint: known.length === 0 ? command`add "…" --plan-file ${plan}` : `Plans: ${known.join(', ')}`,
  })
}

/** Which rows come from the plan, or are below one that does. */
function rowsOfPlan(rows: readonly TreeRow<OutlineEntry>[], names: ReadonlySet<string>): TreeRow<OutlineEntry>[] {
  /** By depth, of the last row and those around it. */
  const isOfPlan: boolean[] = []
  return rows.filter(({ task, depth }) => {
    isOfPlan[depth] = names.has(task.plan_file ?? '') || (isOfPlan[depth - 1] ?? false)
    return isOfPlan[depth]
  })
}

/** As it was typed, and as the path from the top of the working tree. */
function planNames({ repo }: Workspace, plan: string, cwd = repo.workTree ?? ''): ReadonlySet<string> {
  const fromTop = repo.workTree === null ? plan : relative(repo.workTree, resolve(cwd, plan))
  return new Set([plan, fromTop].filter((name) => name !== ''))
}

function lineOf({ task: { uid: _, ...task }, depth, current }: OutlineRow<OutlineEntry>): TreeLine {
  return { ...task, depth, current }
}
