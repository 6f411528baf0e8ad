/** What needs a person, each with a reason code and the commands that resolve it. */

import { whyTaskSpent } from '../core/run/budgets.ts'
import { countedPhases, lastReview, viewReview } from '../core/run/review-cycles.ts'
import { isAgentDown, lastFailure, lastRun } from '../core/run/run-rules.ts'
import { commandLine } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { type Entry, entriesWhere, taskOf } from '../state/index/find-entries.ts'
import { knownBudgets } from '../workspace/config/known-budgets.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { nameOf } from '../workspace/views/task-view.ts'
import type { TaskName } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { cycleItems } from './cycle-items.ts'
import { matterItems } from './matter-items.ts'
import { readDeadlock } from './read-deadlock.ts'
import { unlandedTasks } from './unlanded-tasks.ts'

export interface InboxItem {
  /** Null: it is about something else, which `subject` names. */
  task: TaskName | null
  code: string
  detail: string
  commands: string[]
  /** The file of a refused plan, or the branch whose checks fail. */
  subject?: string
  /** What a refused plan makes wait for each other, a line for each loop. */
  loops?: string[]
}

export async function readInbox(ws: Workspace): Promise<InboxItem[]> {
  const view = readLedger(ws)
  const items = [
    ...[...failures(view), ...agentsDown(view), ...(await spentTasks(view))],
    ...[...matterItems(view), ...cycleItems(view), ...standstill(view), ...verdicts(view)],
  ]
  const known = new Set(items.map(({ task }) => task?.id))
  return [...items, ...(await unlandedTasks(view)).filter(({ task }) => !known.has(task?.id))]
}

function failures(view: LedgerView): InboxItem[] {
  return entriesWhere(view.ws.state, view.row.lid, "e.status = 'failed' AND e.deleted = 0 ORDER BY e.number").map(
    (row) => {
      const task = taskOf(view.ws.state, view.row.lid, row.uid)
      const failure = task && lastFailure(task)
      return {
        task: nameOf(view, row),
        code: codeOf(failure?.reason ?? 'failed'),
        detail: firstLine(failure?.detail),
        commands: [
          commandLine`retry ${row.number}`,
          commandLine`resolve ${row.number} --fixed|--skip|--reset|--abort`,
          commandLine`logs ${row.number}`,
        ],
      }
    },
  )
}

/** Open tasks whose agent could not be started or logged in: they have not failed, and yet go on only after a person. */
function agentsDown(view: LedgerView): InboxItem[] {
  return entriesWhere(view.ws.state, view.row.lid, MAY_HAVE_NO_AGENT).flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const last = task && lastRun(task)
    if (!last || !isAgentDown(String(last.reason))) return []
    const commands = [commandLine`work ${row.number}`, commandLine`logs ${row.number}`]
    const detail = `${last.caller ?? last.agent}: ${firstLine(last.detail)}`
    return [{ task: nameOf(view, row), code: codeOf(last.reason), detail, commands }]
  })
}

/** Looked for in the text of the tasks, because to read every open one would take seconds where there are many. */
const MAY_HAVE_NO_AGENT = `e.status = 'pending' AND e.deleted = 0 AND EXISTS (
  SELECT 1 FROM lines l WHERE l.row = e.row
  AND (instr(l.line, '"auth-failed"') > 0 OR instr(l.line, '"not-started"') > 0)) ORDER BY e.number`

/** Open tasks that have used up their budget: a person gives them more, or opens them again. */
async function spentTasks(view: LedgerView): Promise<InboxItem[]> {
  const rows = entriesWhere(view.ws.state, view.row.lid, MAY_HAVE_SPENT)
  if (rows.length === 0) return []
  const budgets = await knownBudgets(view.ws)
  return rows.flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const spent = task && whyTaskSpent(budgets, task)
    if (!spent) return []
    const commands = [
      commandLine`resolve ${row.number} --fixed|--skip|--reset|--abort`,
      commandLine`logs ${row.number}`,
    ]
    return [{ task: nameOf(view, row), code: 'TASK_BUDGET', detail: `it has spent ${spent}`, commands }]
  })
}

const MAY_HAVE_SPENT = `e.status = 'pending' AND e.deleted = 0 AND EXISTS (
  SELECT 1 FROM lines l WHERE l.row = e.row
  AND (instr(l.line, '"cost_usd"') > 0 OR instr(l.line, '"turns"') > 0)) ORDER BY e.number`

function codeOf(reason: unknown): string {
  return String(reason).replaceAll('-', '_').toUpperCase()
}

function firstLine(detail: unknown): string {
  return String(detail ?? '').split('\n', 1)[0] ?? ''
}

/** Nothing can run, and not because of a ring: whatever the others wait for needs a person. */
function standstill(view: LedgerView): InboxItem[] {
  const found = readDeadlock(view.ws)
  const task = found && (found.failed[0] ?? found.on_hold[0] ?? found.unknown[0])
  if (!found || !task) return []
  const commands =
    task.number === 0 ? [commandLine`sync`] : [commandLine`resolve ${task.number} --fixed|--skip|--reset|--abort`]
  return [{ task, code: 'DEADLOCK', detail: found.line, commands: [commandLine`graph`, ...commands] }]
}

/** Work that is there, and of which a reviewer says that a person must look at it. */
function verdicts(view: LedgerView): InboxItem[] {
  const { state } = view.ws
  return entriesWhere(state, view.row.lid, MAY_NEED_A_WORD).flatMap((row) => {
    const task = taskOf(state, view.row.lid, row.uid)
    const verdict = task && viewReview(task, false).verdict
    if (task === null || (verdict !== 'NEEDS_DISCUSSION' && verdict !== 'MAX_CYCLES_REACHED')) return []
    if (isAnswered(view, task)) return []
    return task.type === 'review' ? [discussion(view, row)] : [unapproved(view, row, task, verdict)]
  })
}

const MAY_NEED_A_WORD = `e.status = 'completed' AND e.deleted = 0 AND e.archived = 0 AND EXISTS (
  SELECT 1 FROM lines l WHERE l.row = e.row
  AND (instr(l.line, '"MAX_CYCLES_REACHED"') > 0 OR instr(l.line, '"NEEDS_DISCUSSION"') > 0)) ORDER BY e.number`

function discussion(view: LedgerView, row: Entry): InboxItem {
  const detail = 'the review asks for a person'
  return { task: nameOf(view, row), code: 'NEEDS_DISCUSSION', detail, commands: [commandLine`show ${row.number}`] }
}

function unapproved(view: LedgerView, row: Entry, task: Task, verdict: string): InboxItem {
  const review = lastReview(countedPhases(task))
  return {
    task: nameOf(view, row),
    code: verdict,
    detail: `${review?.summary ?? 'the review asks for a person'} (${review?.artifact})`,
    commands: [commandLine`improve ${row.number} --review`, commandLine`edit ${row.number} --verdict APPROVED`],
  }
}

/** Somebody went on with it: a person has landed it as it is, or a later task improves or reviews the same work. */
function isAnswered(view: LedgerView, { uid, landings, generation }: Task): boolean {
  if (landings.some((landing) => landing.outcome === 'landed' && landing.generation === generation)) return true
  const later = `e.type IN ('improve', 'review') AND e.deleted = 0 AND EXISTS (
    SELECT 1 FROM needs n WHERE n.row = e.row AND n.needed = ?)`
  return entriesWhere(view.ws.state, view.row.lid, later, uid).length > 0
}
