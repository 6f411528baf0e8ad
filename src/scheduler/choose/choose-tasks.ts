/** Which tasks a shift should start next, in their order, chosen one by one as slots are filled. */
import { takeDisjoint } from '../../core/graph/take-disjoint.ts'
import type { Task } from '../../core/task/task.ts'
import { whyDaySpent } from '../../runs/spend/day-budget.ts'
import type { WorkSession } from '../work-session.ts'
import { busyFiles, filesOf } from './busy-files.ts'
import { type Candidate, candidates } from './candidates.ts'
import { mustWaitForLanding } from './wait-for-landing.ts'

export interface Choice {
  tasks: Iterable<Candidate>
  /** When those may start that have to pause, in milliseconds since 1970: complete once no further task is asked for. */
  waiting: number[]
}

export function chooseTasks(state: WorkSession): Choice {
  const waiting: number[] = []
  if (isDaySpent(state)) return { tasks: [], waiting }
  return { tasks: disjoint(state, suspectsLast(state, readyNow(state, waiting))), waiting }
}

/** The task that should start before all others, unless it has to wait for files. */
export function firstInLine(state: WorkSession): Task | null {
  if (isDaySpent(state)) return null
  for (const candidate of readyNow(state, [])) {
    for (const { task } of disjoint(state, [candidate])) return task
    return null
  }
  return null
}

/** Nothing more is started today; the report says so where something would have been. */
function isDaySpent(state: WorkSession): boolean {
  const spent = whyDaySpent(state.ws, state.config.budgets)
  const isOpen = () => candidates(state).some(({ task }) => isWithinLimit(state, task))
  state.report.day = spent !== null && isOpen() ? spent : null
  return spent !== null
}

export function isWithinLimit({ tried, followUps, limit }: WorkSession, { uid }: Task): boolean {
  return tried.has(uid) || followUps.has(uid) || tried.size < limit
}

function* readyNow(state: WorkSession, waiting: number[]): Generator<Candidate> {
  const now = state.ws.clock()
  for (const candidate of candidates(state)) {
    const { task, notBefore } = candidate
    if (!isWithinLimit(state, task)) continue
    if (notBefore !== null && notBefore > now) waiting.push(notBefore)
    else if (!mustWaitForLanding(state, task)) yield candidate
  }
}

function* suspectsLast({ suspects }: WorkSession, ready: Iterable<Candidate>): Generator<Candidate> {
  const last: Candidate[] = []
  for (const candidate of ready) {
    if (suspects.has(candidate.task.uid)) last.push(candidate)
    else yield candidate
  }
  yield* last
}

const LOOK_MS = 1000

/**
 * Only tasks whose files nobody else touches: declared ones, and those that running tasks have really changed. Nor does
 * the base have what is about to land: who starts at the same files from there could only clash with it. To look costs
 * some git calls, so a task that had to wait is not looked at again within a second.
 */
function disjoint(state: WorkSession, ready: Iterable<Candidate>): Iterable<Candidate> {
  const now = performance.now()
  const landing = state.lander.undecided().flatMap(filesOf)
  const known = now - state.looked.at < LOOK_MS ? state.looked.files : []
  const look = (): string[] => {
    state.looked = { at: now, files: busyFiles(state.ws, toBeTaken(state)) }
    return [...state.looked.files, ...landing]
  }
  return takeDisjoint(ready, ({ task }) => filesOf(task), { known: [...known, ...landing], look })
}

/** Tasks that others may have, but not for long. */
function toBeTaken({ options, named, tried }: WorkSession): string[] {
  return options.takeOver ? named.filter((uid) => !tried.has(uid)) : []
}
