/** Which tasks a session should start next, in their order, chosen one by one as slots are filled. */
import { takeDisjoint } from '../../core/graph/take-disjoint.ts'
import { whyTaskSpent } from '../../core/run/budgets.ts'
import type { Task } from '../../core/task/task.ts'
import { whyDaySpent } from '../../runs/spend/day-budget.ts'
import { type Workable, workableOne, workableTasks } from '../../runs/workable.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { SessionTasks, WorkSession } from '../work-session.ts'
import { busyFiles, filesOf } from './busy-files.ts'
import { mustWaitForLanding } from './wait-for-landing.ts'

export interface Choice {
  tasks: Iterable<Workable>
  /** When those may start that have to pause, in milliseconds since 1970: complete once no further task is asked for. */
  waiting: number[]
}

export function chooseTasks(session: WorkSession): Choice {
  const waiting: number[] = []
  if (isDaySpent(session)) return { tasks: [], waiting }
  return { tasks: disjoint(session, suspectsLast(session, readyNow(session, waiting))), waiting }
}

/** The task that should start before all others, unless it has to wait for files. */
export function firstInLine(session: WorkSession): Task | null {
  if (isDaySpent(session)) return null
  for (const candidate of readyNow(session, [])) {
    for (const { task } of disjoint(session, [candidate])) return task
    return null
  }
  return null
}

/** Nothing more is started today; the report mentions it where something would have been started. */
function isDaySpent(session: WorkSession): boolean {
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
  const now = session.ws.clock()
  for (const candidate of candidates(session)) {
    const { task, notBefore } = candidate
    if (!isWithinLimit(session.tasks, task)) continue
    if (notBefore !== null && notBefore > now) waiting.push(notBefore)
    else if (!mustWaitForLanding(session, task)) yield candidate
  }
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
  else yield* workableTasks(view, config).filter((found) => isOpen(found) && !followUps.includes(found.task.uid))
}

/** A person who names a task means now: a pause after an earlier failure counts only between our own attempts. */
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
 * Only tasks whose files nobody else touches: declared ones, and those that running tasks have really changed. The base
 * does not have yet what is about to land: work at the same files that starts from there could only conflict with it. A
 * look costs some git calls, so a task that had to wait is not looked at again within a second.
 */
function disjoint({ ws, slots, services, options, tasks }: WorkSession, ready: Iterable<Workable>): Iterable<Workable> {
  const now = performance.now()
  const landing = services.lander.undecided().flatMap(filesOf)
  const known = now - slots.busyFiles.at < LOOK_MS ? slots.busyFiles.files : []
  // Others may have these tasks, but not for long.
  const toBeTaken = options.takeOver ? tasks.named.filter((uid) => !tasks.tried.has(uid)) : []
  const look = (): string[] => {
    slots.busyFiles = { at: now, files: busyFiles(ws, toBeTaken) }
    return [...slots.busyFiles.files, ...landing]
  }
  return takeDisjoint(ready, ({ task }) => filesOf(task), { known: [...known, ...landing], look })
}
