/** Which tasks may be worked on now, and for each other task the one reason why not. */

import type { Config } from '../core/config/settings.ts'
import { notBefore } from '../core/run/run-rules.ts'
import { command } from '../core/sentence.ts'
import { openQuestion } from '../core/task/questions.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import type { Task } from '../core/task/task.ts'
import { firstLine } from '../core/text/first-line.ts'
import { UserError } from '../core/user-error.ts'
import { pendingChildrenOf } from '../state/index/family-entries.ts'
import { entryWithId } from '../state/index/find-entries.ts'
import type { Entry } from '../state/index/index-tables.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { readyEntries } from '../state/index/ready-entries.ts'
import { entry, findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { blockersOf, derivedStatus, runningOn } from '../workspace/views/task-status.ts'
import { commandFor } from './watch/next-command.ts'

export interface Workable {
  task: Task
  /** Milliseconds since 1970; null: immediately. */
  notBefore: number | null
}

/**
 * Ready tasks in the order in which they should start, each read only when it is requested: few slots are free at a
 * time, and reading all of 10,000 tasks took longer than a run.
 */
export function* workableTasks(view: LedgerView, config: Config): Generator<Workable, void, undefined> {
  // All rows at once: the caller writes to the index when it starts a task, before it requests the next one.
  for (const row of [...readyEntries(view.ws.state, view.row.lid)]) {
    if (derivedStatus(view, row) !== 'pending' || openChildren(view, row.uid).length > 0) continue
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    if (task !== null) yield { task, notBefore: notBefore(task, config.retry.backoff_seconds) }
  }
}

/** The unfinished children of a task, which complete it. */
export function openChildren(view: LedgerView, uid: string): { uid: string; number: number }[] {
  return pendingChildrenOf(view.ws.state, view.row.lid, uid)
}

/** One task, with or without children, if it may be worked on; with `takeOver`, even if another holder has it. */
export function workableOne(
  view: LedgerView,
  config: Config,
  uid: string,
  { takeOver = false }: { takeOver?: boolean } = {},
): Workable[] {
  const row = entry(view, uid)
  const task = taskOf(view.ws.state, view.row.lid, uid)
  if (row === undefined || task === null || row.deleted || task.on_hold || row.asks) return []
  const status = derivedStatus(view, row)
  if (status !== 'pending' && !(takeOver && status === 'in_progress' && row.unmet === 0)) return []
  return [{ task, notBefore: notBefore(task, config.retry.backoff_seconds) }]
}

export interface Asked {
  takeOver?: boolean
  /** Uids of tasks that will be worked on before it. It may depend on them. */
  among?: ReadonlySet<string>
  /** The command that was called, for use in hints. */
  command?: 'work' | 'claim'
}

/** The task that a person asked for. Throws the reason if it cannot be worked on. */
export function workableTask(view: LedgerView, ref: string, asked: Asked): Task {
  const { takeOver, among = new Set(), command: verb = 'work' } = asked
  const task = findTask(view, ref)
  const row = entry(view, task.uid)
  if (row === undefined) throw new Error(`the index has no row for ${task.id}`)
  const status = derivedStatus(view, row)
  const number = `#${row.number}`
  if (status === 'blocked') refuseBlocked(view, row, { among, command: verb })
  if (isFinished({ status }))
    throw new UserError('TASK_CLOSED', `Task ${number} is ${status}`, { hint: command`edit ${row.number} --reopen` })
  if (status === 'failed')
    throw new UserError('TASK_FAILED', `Task ${number} has failed`, { hint: command`retry ${row.number}` })
  if (status === 'in_progress' && !takeOver) {
    const host = runningOn(view, row)
    const where = host === null ? '' : ` on ${host}`
    throw new UserError('TASK_RUNNING', `Task ${number} is in progress${where}`, {
      hint: view.ws.actor.mode === 'agent' ? command`claim --next` : command`${verb} ${row.number} --take-over`,
    })
  }
  if (task.on_hold)
    throw new UserError('TASK_ON_HOLD', `Task ${number} is on hold`, { hint: command`resolve ${row.number} --resume` })
  const question = openQuestion(task)
  if (question !== null)
    throw new UserError('TASK_QUESTION', `Task ${number} waits for an answer: ${firstLine(question.text)}`, {
      hint: command`answer ${row.number} "…"`,
    })
  return task
}

function refuseBlocked(
  view: LedgerView,
  row: Entry,
  { among, command: verb }: Required<Omit<Asked, 'takeOver'>>,
): void {
  const open = blockersOf(view, row).filter(({ id }) => !isAmong(view, id, among))
  const [blocker] = open
  if (blocker === undefined) return
  const word = blocker.status === 'blocked' ? 'pending' : blocker.status
  throw new UserError('TASK_BLOCKED', `Task #${row.number} is blocked by task #${blocker.number} (${word})`, {
    hint: verb === 'claim' ? command`claim --next` : commandFor(view, entryNamed(view, blocker.id) ?? row),
  })
}

function entryNamed({ ws, row }: LedgerView, id: string): Entry | undefined {
  return entryWithId(ws.state, row.lid, id)
}

function isAmong(view: LedgerView, id: string, among: ReadonlySet<string>): boolean {
  return [...among].some((uid) => entry(view, uid)?.id === id)
}
