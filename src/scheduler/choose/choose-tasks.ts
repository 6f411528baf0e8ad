/** Chooses the tasks that a session starts next, in order, one by one as slots are filled. */
import { takeDisjoint } from '../../core/graph/take-disjoint.ts'
import { whyTaskSpent } from '../../core/run/budgets.ts'
import type { Task } from '../../core/task/task.ts'
import { whyDaySpent } from '../../runs/spend/day-budget.ts'
import { overloadedAgents } from '../../runs/spend/overloads.ts'
import { type Workable, workableOne, workableTasks } from '../../runs/workable.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { SessionTasks, WorkSession } from '../work-session.ts'
import { busyFiles, filesOf } from './busy-files.ts'
import { openDiscussions } from './discussed-work.ts'
import { calledAgent } from './may-call.ts'
import { mustWaitForLanding } from './wait-for-landing.ts'

export interface Choice {
  tasks: Iterable<Workable>
  /** When paused tasks may start, in milliseconds since 1970. Complete after `tasks` was read to its end. */
  waiting: number[]
}

export function chooseTasks(session: WorkSession): Choice {
  const waiting: number[] = []
  // Found out anew by each choice: a pause may have ended meanwhile.
  session.report.paused.length = 0
  if (reportIfDaySpent(session)) return { tasks: [], waiting }
  return { tasks: disjoint(session, suspectsLast(session, readyNow(session, waiting))), waiting }
}

/** The task that should start before all others, unless it has to wait for files. */
export function firstInLine(session: WorkSession): Task | null {
  if (reportIfDaySpent(session)) return null
  for (const candidate of readyNow(session, [])) {
    for (const { task } of disjoint(session, [candidate])) return task
    return null
  }
  return null
}

/** True if the day's budget is used up. The report mentions it if a task would have been started. */
function reportIfDaySpent(session: WorkSession): boolean {
  const { ws, config, tasks, report } = session
  const spent = whyDaySpent(ws, config.budgets)
  const isOpen = () => candidates(session).some(({ task }) => isWithinLimit(tasks, task))
  report.day = spent !== null && isOpen() ? spent : null
  return spent !== null
}

export function isWithinLimit({ tried, followUps, limit }: SessionTasks, { uid }: Task): boolean {
  return tried.has(uid) || followUps.has(uid) || tried.size < limit
}

function* readyNow(session: WorkSession, waiting: number[]): Generator<Workable> {
  const overloaded = overloadedAgents(session.ws, session.config.retry.backoff_seconds)
  for (const candidate of candidates(session)) {
    const { task } = candidate
    if (!isWithinLimit(session.tasks, task)) continue
    const notBefore = Math.max(candidate.notBefore ?? 0, agentFreeAt(session, overloaded, task))
    if (notBefore > session.ws.clock()) waiting.push(notBefore)
    else if (!mustWaitForLanding(session, task)) yield candidate
  }
}

/** A task that a person names starts now, even if its agent was overloaded before. */
function agentFreeAt(session: WorkSession, overloaded: ReadonlyMap<string, number>, task: Task): number {
  const { ws, config, options, tasks } = session
  if (overloaded.size === 0 || (tasks.named.includes(task.uid) && !tasks.tried.has(task.uid))) return 0
  const agent = calledAgent(readLedger(ws), config, task, options)
  return agent === null ? 0 : (overloaded.get(agent) ?? 0)
}

/** The tasks that may start now, or after a pause, in the order in which they should. */
function* candidates(session: WorkSession): Generator<Workable, void, undefined> {
  const { ws, config } = session
  const { named, leftAlone } = session.tasks
  const view = readLedger(ws)
  const isOpen = ({ task }: Workable) => !leftAlone.has(task.uid) && whyTaskSpent(config.budgets, task) === null
  const followUps = [...session.tasks.followUps]
  yield* followUps.flatMap((uid) => workableOne(view, config, uid)).filter(isOpen)
  if (named.length > 0) yield* named.flatMap((uid) => namedCandidate(view, session, uid)).filter(isOpen)
  else {
    const discussed = openDiscussions(view, config)
    yield* workableTasks(view, config).filter(
      (found) => isOpen(found) && !followUps.includes(found.task.uid) && discussed(found.task) === null,
    )
  }
}

/** A task that a person names starts now: the pause after a failure applies only between attempts of this session. */
function namedCandidate(view: LedgerView, { config, options, tasks }: WorkSession, uid: string): Workable[] {
  const isFirst = !tasks.tried.has(uid)
  const found = workableOne(view, config, uid, { takeOver: isFirst && (options.takeOver ?? false) })
  return found.map(({ task, notBefore }) => ({ task, notBefore: isFirst ? null : notBefore }))
}

function* suspectsLast({ tasks }: WorkSession, ready: Iterable<Workable>): Generator<Workable> {
  const last: Workable[] = []
  for (const candidate of ready) {
    if (tasks.suspects.has(candidate.task.uid)) last.push(candidate)
    else yield candidate
  }
  yield* last
}

const LOOK_MS = 1000

/**
 * Only tasks whose files no running task declares or has changed. Files of work that is about to land count too: the
 * base does not have that work yet, and new work on the same files would conflict with it. A check costs some git
 * calls, so a task that had to wait is not checked again within a second.
 */
function disjoint({ ws, slots, services, options, tasks }: WorkSession, ready: Iterable<Workable>): Iterable<Workable> {
  const now = performance.now()
  const landing = [...services.lander.undecided].flatMap(filesOf)
  const known = now - slots.busyFiles.at < LOOK_MS ? slots.busyFiles.files : []
  // Another worker may have these tasks, but they will be taken over.
  const toBeTaken = options.takeOver ? tasks.named.filter((uid) => !tasks.tried.has(uid)) : []
  const look = (): string[] => {
    slots.busyFiles = { at: now, files: busyFiles(ws, toBeTaken) }
    return [...slots.busyFiles.files, ...landing]
  }
  return takeDisjoint(ready, ({ task }) => filesOf(task), { known: [...known, ...landing], look })
}
