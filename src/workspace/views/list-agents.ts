/** The agents of this repository: registered ones, those with tasks, and those that hold one now. */

import {
  type AgentState,
  type AgentStatus,
  agentState,
  blockedNote,
  type HeldTask,
} from '../../core/task/agent-state.ts'
import { openQuestion } from '../../core/task/questions.ts'
import { isFinished, isOnHold } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import { parentsOfPendingChildren } from '../../state/index/family-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { openAssignedEntries } from '../../state/index/list-entries.ts'
import { tasksOfRows } from '../../state/index/read-tasks.ts'
import { type Lease, leasesByLife } from '../../state/live/leases.ts'
import { registeredAgents } from '../../state/live/registered-agents.ts'
import { entry, type LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { derivedStatus, nameOf } from './task-status.ts'
import type { TaskName } from './views.ts'

/** An agent as faces show it. The shape is public. */
export interface AgentView {
  agent: string
  client: string | null
  registered: boolean
  status: AgentState['status']
  detail: string | null
  current_task: TaskName | null
  /** How many unfinished tasks it has. */
  open_count: number
  heartbeat_at: string | null
}

export function listAgents(ws: Workspace): AgentView[] {
  return agentsIn(readLedger(ws))
}

export function agentsIn(view: LedgerView): AgentView[] {
  const known = new Map(view.ws.live === null ? [] : registeredAgents(view.ws.live).map((agent) => [agent.name, agent]))
  const leases = leasesIn(view)
  const tasks = tasksByAgent(view, leases)
  const names = [...new Set([...known.keys(), ...tasks.keys()])].sort()
  const wholes = parentsOfPendingChildren(view.ws.state, view.row.lid)
  const heldTask = readHeldTasks(
    view,
    [...tasks.values()].flat().map(({ row }) => row),
  )
  return names.map((id) => {
    // A task with open parts is done through them, so they show more.
    const openParts = ({ row }: Held) => Number(wholes.has(row.uid))
    const own = (tasks.get(id) ?? []).toSorted((a, b) => openParts(a) - openParts(b))
    const { status, current, reason } = agentState(own.map((held) => heldTask(held, id)))
    const row = own.find(({ row: { number } }) => number === current)?.row
    return {
      agent: id,
      client: known.get(id)?.client ?? null,
      registered: known.has(id),
      status,
      detail: reason,
      current_task: row === undefined ? null : nameOf(view, row),
      open_count: own.length,
      heartbeat_at: heartbeat(view.ws, own, known.get(id)?.seen_at ?? null),
    }
  })
}

/** The state of the agent that has one of these tasks, as far as the task shows it; null if nobody has it, or it is finished. */
export function openAgentStatus(view: LedgerView, rows: readonly Entry[]): (row: Entry) => AgentStatus | null {
  const byUid = new Map(leasesIn(view).map((held) => [held.lease.uid, held]))
  const isHad = (row: Entry) => row.assigned_agent !== null && !isFinished(row)
  const heldTask = readHeldTasks(view, rows.filter(isHad))
  return (row) => {
    if (row.assigned_agent === null || !isHad(row)) return null
    const held = assignedHeld(row, byUid.get(row.uid))
    return agentState([heldTask(held, row.assigned_agent)]).status
  }
}

interface Held {
  row: Entry
  lease: Lease | null
  isHeld: boolean
}

interface OpenLease {
  lease: Lease
  isHeld: boolean
}

function leasesIn({ ws }: LedgerView): OpenLease[] {
  if (ws.live === null) return []
  const { held, abandoned } = leasesByLife(ws.live, ws.now())
  const all = [true, false].flatMap((isHeld) => (isHeld ? held : abandoned).map((lease) => ({ lease, isHeld })))
  return all.filter(({ lease }) => lease.ledger === ws.ledger)
}

/** The unfinished tasks of each agent: assigned to it, or held by it under its own name. */
function tasksByAgent(view: LedgerView, leases: readonly OpenLease[]): Map<string, Held[]> {
  const byUid = new Map(leases.map((held) => [held.lease.uid, held]))
  const tasks = new Map<string, Held[]>()
  const add = (name: string, held: Held) => {
    const own = tasks.get(name)
    if (own === undefined) tasks.set(name, [held])
    else own.push(held)
  }
  for (const row of openAssignedEntries(view.ws.state, view.row.lid)) {
    add(row.assigned_agent as string, assignedHeld(row, byUid.get(row.uid)))
  }
  for (const { lease, isHeld } of leases) {
    const row = entry(view, lease.uid)
    if (row?.status !== 'pending') continue
    if (row.assigned_agent === null || isClaimOfOther(lease, row)) add(lease.holder, { row, lease, isHeld })
  }
  return tasks
}

function assignedHeld(row: Entry, open: OpenLease | undefined): Held {
  const isOwn = open !== undefined && !isClaimOfOther(open.lease, row)
  return { row, lease: null, isHeld: false, ...(isOwn && open) }
}

/**
 * A claim is held in the agent's own name; a worker holds a lease in the name of the client that it starts for the
 * agent.
 */
function isClaimOfOther({ expires_at, holder }: Lease, { assigned_agent }: Entry): boolean {
  return expires_at !== null && assigned_agent !== null && assigned_agent !== holder
}

/** Reads the tasks of these rows at once. */
function readHeldTasks(view: LedgerView, rows: readonly Entry[]): (held: Held, name: string) => HeldTask {
  const tasks = new Map(tasksOfRows(view.ws.state, rows).map((task) => [task.uid, task]))
  return (held, name) => heldTask(view, held, { name, task: tasks.get(held.row.uid) ?? null })
}

function heldTask(
  view: LedgerView,
  { row, lease, isHeld }: Held,
  { name, task }: { name: string; task: Task | null },
): HeldTask {
  const status = derivedStatus(view, row)
  const isLost = lease !== null && !isHeld && row.status === 'pending'
  return {
    number: row.number,
    status,
    isRunning: status === 'in_progress' && (isHeld || !view.leased.has(row.uid)),
    silentSince: isLost ? (lease.expires_at ?? lease.taken_at) : null,
    blockedNote: task === null ? null : blockedNoteOf(task),
    isOnHold: isOnHold(row),
    isOwnFailure: status === 'failed' && task !== null && failedWith(task, name),
  }
}

/** Without a run, a person marked it as failed while the agent had it. */
function failedWith({ runs }: Task, name: string): boolean {
  const last = runs.at(-1)
  return last === undefined || (last.assigned_agent ?? last.agent ?? name) === name
}

/** A question that nobody has answered, or a note of an agent that has no claim. */
function blockedNoteOf(task: Task): string | null {
  const question = openQuestion(task)
  if (question !== null) return question.text.replace(/^blocked:\s*/i, '')
  const run = task.runs.filter(({ ended_at }) => ended_at === undefined).at(-1)
  const assigned = task.edits.filter(({ field }) => field === 'assigned_agent')
  const had = [...assigned.slice(0, -1).map(({ value }) => value), ...task.runs.map(({ agent }) => agent)]
  const before = had.filter((name) => typeof name === 'string').filter((name) => name !== run?.agent)
  return blockedNote(task.notes, { since: run?.started_at ?? assigned.at(-1)?.at ?? '', before })
}

/** A worker's process exists or not; for agents that gza did not start, their last call counts. */
function heartbeat(ws: Workspace, own: readonly Held[], seen: string | null): string | null {
  const signs = own.flatMap(({ lease, isHeld }) => {
    if (lease === null) return []
    return isHeld && lease.pid !== null ? [ws.now()] : [lease.taken_at]
  })
  return [...signs, ...(seen === null ? [] : [seen])].sort().at(-1) ?? null
}
